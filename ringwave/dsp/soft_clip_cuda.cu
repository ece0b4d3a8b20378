// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/channel_rule_cuda.cuh"
#include "ringwave/dsp/soft_clip_twins.hpp"

namespace ringwave::dsp {

std::unique_ptr<SoftClipTwin> make_soft_clip_cuda(Device device, const SoftClip::Request& request) {
  return std::make_unique<ChannelRuleCuda<SoftClipRule, SoftClipTwin>>(
      device, constants_of(request.settings), request.channels, request.max_block_frames, 0);
}

}  // namespace ringwave::dsp
