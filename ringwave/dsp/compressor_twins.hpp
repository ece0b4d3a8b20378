// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ringwave/dsp/compressor.hpp"
#include "ringwave/dsp/compressor_math.hpp"

namespace ringwave::dsp {

class CompressorTwin : public RuleTwin<CompressorRule> {
 public:
  using RuleTwin::RuleTwin;
};

/// What the settings come to for the rule. [audio]
[[nodiscard]] CompressorRule::Constants constants_of(const Compressor::Settings& settings,
                                                     double sample_rate_hz) noexcept;

[[nodiscard]] std::unique_ptr<CompressorTwin> make_compressor_cpu(Device device,
                                                                  const Compressor::Request& request);
[[nodiscard]] std::unique_ptr<CompressorTwin> make_compressor_cuda(Device device,
                                                                   const Compressor::Request& request);

}  // namespace ringwave::dsp
