// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ringwave/dsp/reverb.hpp"
#include "ringwave/dsp/reverb_math.hpp"

namespace ringwave::dsp {

class ReverbTwin : public RuleTwin<ReverbRule> {
 public:
  using RuleTwin::RuleTwin;
};

/// What the settings come to for the rule. [audio]
[[nodiscard]] ReverbRule::Constants constants_of(const Reverb::Request& request) noexcept;

[[nodiscard]] std::unique_ptr<ReverbTwin> make_reverb_cpu(Device device, const Reverb::Request& request);
[[nodiscard]] std::unique_ptr<ReverbTwin> make_reverb_cuda(Device device, const Reverb::Request& request);

}  // namespace ringwave::dsp
