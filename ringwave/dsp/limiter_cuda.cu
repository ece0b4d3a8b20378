// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/channel_rule_cuda.cuh"
#include "ringwave/dsp/limiter_twins.hpp"

namespace ringwave::dsp {

std::unique_ptr<LimiterTwin> make_limiter_cuda(Device device, const Limiter::Request& request) {
  const LimiterRule::Constants constants = constants_of(request);
  return std::make_unique<ChannelRuleCuda<LimiterRule, LimiterTwin>>(
      device, constants, request.channels, request.max_block_frames, constants.line_samples());
}

}  // namespace ringwave::dsp
