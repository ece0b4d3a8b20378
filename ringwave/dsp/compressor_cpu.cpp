// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/channel_rule_cpu.hpp"
#include "ringwave/dsp/compressor_twins.hpp"

namespace ringwave::dsp {

std::unique_ptr<CompressorTwin> make_compressor_cpu(Device /*device*/, const Compressor::Request& request) {
  return std::make_unique<ChannelRuleCpu<CompressorRule, CompressorTwin>>(
      constants_of(request.settings, request.sample_rate_hz), request.channels, 0);
}

}  // namespace ringwave::dsp
