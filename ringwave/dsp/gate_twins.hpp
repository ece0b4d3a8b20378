// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ringwave/dsp/gate.hpp"
#include "ringwave/dsp/gate_math.hpp"

namespace ringwave::dsp {

class GateTwin : public RuleTwin<GateRule> {
 public:
  using RuleTwin::RuleTwin;
};

/// What the settings come to for the rule. [audio]
[[nodiscard]] GateRule::Constants constants_of(const Gate::Settings& settings,
                                               double sample_rate_hz) noexcept;

[[nodiscard]] std::unique_ptr<GateTwin> make_gate_cpu(Device device, const Gate::Request& request);
[[nodiscard]] std::unique_ptr<GateTwin> make_gate_cuda(Device device, const Gate::Request& request);

}  // namespace ringwave::dsp
