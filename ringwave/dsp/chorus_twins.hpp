// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ringwave/dsp/chorus.hpp"
#include "ringwave/dsp/chorus_math.hpp"

namespace ringwave::dsp {

class ChorusTwin : public RuleTwin<ChorusRule> {
 public:
  using RuleTwin::RuleTwin;
};

/// What the settings come to for the rule. [audio]
[[nodiscard]] ChorusRule::Constants constants_of(const Chorus::Request& request) noexcept;

[[nodiscard]] std::unique_ptr<ChorusTwin> make_chorus_cpu(Device device, const Chorus::Request& request);
[[nodiscard]] std::unique_ptr<ChorusTwin> make_chorus_cuda(Device device, const Chorus::Request& request);

}  // namespace ringwave::dsp
