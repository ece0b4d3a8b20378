// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/channel_rule_cpu.hpp"
#include "ringwave/dsp/delay_twins.hpp"

namespace ringwave::dsp {

std::unique_ptr<DelayTwin> make_delay_cpu(Device /*device*/, const Delay::Request& request) {
  const DelayRule::Constants constants = constants_of(request);
  return std::make_unique<ChannelRuleCpu<DelayRule, DelayTwin>>(constants, request.channels,
                                                                constants.line_samples());
}

}  // namespace ringwave::dsp
