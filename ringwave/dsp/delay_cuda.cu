// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/channel_rule_cuda.cuh"
#include "ringwave/dsp/delay_twins.hpp"

namespace ringwave::dsp {

std::unique_ptr<DelayTwin> make_delay_cuda(Device device, const Delay::Request& request) {
  const DelayRule::Constants constants = constants_of(request);
  return std::make_unique<ChannelRuleCuda<DelayRule, DelayTwin>>(
      device, constants, request.channels, request.max_block_frames, constants.line_samples());
}

}  // namespace ringwave::dsp
