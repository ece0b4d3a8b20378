// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/channel_rule_cpu.hpp"
#include "ringwave/dsp/chorus_twins.hpp"

namespace ringwave::dsp {

std::unique_ptr<ChorusTwin> make_chorus_cpu(Device /*device*/, const Chorus::Request& request) {
  const ChorusRule::Constants constants = constants_of(request);
  return std::make_unique<ChannelRuleCpu<ChorusRule, ChorusTwin>>(constants, request.channels,
                                                                  constants.line_samples());
}

}  // namespace ringwave::dsp
