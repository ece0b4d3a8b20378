// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ringwave/dsp/delay.hpp"
#include "ringwave/dsp/delay_math.hpp"

namespace ringwave::dsp {

class DelayTwin : public RuleTwin<DelayRule> {
 public:
  using RuleTwin::RuleTwin;
};

/// What the settings come to for the rule. [audio]
[[nodiscard]] DelayRule::Constants constants_of(const Delay::Request& request) noexcept;

[[nodiscard]] std::unique_ptr<DelayTwin> make_delay_cpu(Device device, const Delay::Request& request);
[[nodiscard]] std::unique_ptr<DelayTwin> make_delay_cuda(Device device, const Delay::Request& request);

}  // namespace ringwave::dsp
