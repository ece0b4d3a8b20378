// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/channel_rule_cuda.cuh"
#include "ringwave/dsp/reverb_twins.hpp"

namespace ringwave::dsp {

std::unique_ptr<ReverbTwin> make_reverb_cuda(Device device, const Reverb::Request& request) {
  const ReverbRule::Constants constants = constants_of(request);
  return std::make_unique<ChannelRuleCuda<ReverbRule, ReverbTwin>>(
      device, constants, request.channels, request.max_block_frames, constants.line_samples());
}

}  // namespace ringwave::dsp
