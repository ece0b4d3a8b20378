// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/channel_rule_cpu.hpp"
#include "ringwave/dsp/limiter_twins.hpp"

namespace ringwave::dsp {

std::unique_ptr<LimiterTwin> make_limiter_cpu(Device /*device*/, const Limiter::Request& request) {
  const LimiterRule::Constants constants = constants_of(request);
  return std::make_unique<ChannelRuleCpu<LimiterRule, LimiterTwin>>(constants, request.channels,
                                                                    constants.line_samples());
}

}  // namespace ringwave::dsp
