// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ringwave/dsp/limiter.hpp"
#include "ringwave/dsp/limiter_math.hpp"

namespace ringwave::dsp {

class LimiterTwin : public RuleTwin<LimiterRule> {
 public:
  using RuleTwin::RuleTwin;
};

/// What the settings come to for the rule. [audio]
[[nodiscard]] LimiterRule::Constants constants_of(const Limiter::Request& request) noexcept;

[[nodiscard]] std::unique_ptr<LimiterTwin> make_limiter_cpu(Device device, const Limiter::Request& request);
[[nodiscard]] std::unique_ptr<LimiterTwin> make_limiter_cuda(Device device, const Limiter::Request& request);

}  // namespace ringwave::dsp
