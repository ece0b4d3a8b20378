// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/channel_rule_cuda.cuh"
#include "ringwave/dsp/gate_twins.hpp"

namespace ringwave::dsp {

std::unique_ptr<GateTwin> make_gate_cuda(Device device, const Gate::Request& request) {
  return std::make_unique<ChannelRuleCuda<GateRule, GateTwin>>(
      device, constants_of(request.settings, request.sample_rate_hz), request.channels,
      request.max_block_frames, 0);
}

}  // namespace ringwave::dsp
