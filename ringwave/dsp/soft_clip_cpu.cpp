// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/channel_rule_cpu.hpp"
#include "ringwave/dsp/soft_clip_twins.hpp"

namespace ringwave::dsp {

std::unique_ptr<SoftClipTwin> make_soft_clip_cpu(Device /*device*/, const SoftClip::Request& request) {
  return std::make_unique<ChannelRuleCpu<SoftClipRule, SoftClipTwin>>(constants_of(request.settings),
                                                                      request.channels, 0);
}

}  // namespace ringwave::dsp
