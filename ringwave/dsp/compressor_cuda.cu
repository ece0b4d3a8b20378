// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/channel_rule_cuda.cuh"
#include "ringwave/dsp/compressor_twins.hpp"

namespace ringwave::dsp {

std::unique_ptr<CompressorTwin> make_compressor_cuda(Device device, const Compressor::Request& request) {
  return std::make_unique<ChannelRuleCuda<CompressorRule, CompressorTwin>>(
      device, constants_of(request.settings, request.sample_rate_hz), request.channels,
      request.max_block_frames, 0);
}

}  // namespace ringwave::dsp
