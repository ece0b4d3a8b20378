// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/channel_rule_cpu.hpp"
#include "ringwave/dsp/reverb_twins.hpp"

namespace ringwave::dsp {

std::unique_ptr<ReverbTwin> make_reverb_cpu(Device /*device*/, const Reverb::Request& request) {
  const ReverbRule::Constants constants = constants_of(request);
  return std::make_unique<ChannelRuleCpu<ReverbRule, ReverbTwin>>(constants, request.channels,
                                                                  constants.line_samples());
}

}  // namespace ringwave::dsp
