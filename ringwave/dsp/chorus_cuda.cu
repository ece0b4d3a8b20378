// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/channel_rule_cuda.cuh"
#include "ringwave/dsp/chorus_twins.hpp"

namespace ringwave::dsp {

std::unique_ptr<ChorusTwin> make_chorus_cuda(Device device, const Chorus::Request& request) {
  const ChorusRule::Constants constants = constants_of(request);
  return std::make_unique<ChannelRuleCuda<ChorusRule, ChorusTwin>>(
      device, constants, request.channels, request.max_block_frames, constants.line_samples());
}

}  // namespace ringwave::dsp
