// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/channel_rule_cpu.hpp"
#include "ringwave/dsp/gate_twins.hpp"

namespace ringwave::dsp {

std::unique_ptr<GateTwin> make_gate_cpu(Device /*device*/, const Gate::Request& request) {
  return std::make_unique<ChannelRuleCpu<GateRule, GateTwin>>(
      constants_of(request.settings, request.sample_rate_hz), request.channels, 0);
}

}  // namespace ringwave::dsp
