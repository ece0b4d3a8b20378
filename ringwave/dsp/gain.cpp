// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/gain.hpp"

#include <cmath>
#include <string>

#include "ringwave/backend/block_trial.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/gain_twins.hpp"

namespace ringwave::dsp {
namespace {

/// False for NaN too.
bool in_range(float gain) noexcept {
  return std::abs(gain) <= Gain::kMostGain;
}

}  // namespace

Gain::Gain(Device device, const Spec& spec) : BlockFront(kName.data(), spec.channels, spec.max_block_frames) {
  if (!in_range(spec.gain) || spec.ramp_frames < 0)
    throw InvalidArgument("gain was asked for with a factor of " + std::to_string(spec.gain) + " over " +
                          std::to_string(spec.ramp_frames) +
                          " frames; use a factor of at most 1000000 and 0 frames or more");
  prepare<Gain>(device, spec);
}

bool Gain::set_gain(float linear) noexcept {
  if (!in_range(linear)) return false;
  twin<GainTwin>().set_gain(linear);
  return true;
}

backend::OpInfo Gain::info() {
  return {.name = std::string(kName),
          .summary = "one factor for every sample, changed without a click",
          .sizes = {64, 256, 1024, 4096, 16384, 65536},
          .batches = {1, 8, 64, 512},
          .make_trial = [](Device device, int size, int batch) {
            return backend::make_block_trial(
                Gain(device, {.channels = batch, .max_block_frames = size, .gain = 0.5F}), batch, size);
          }};
}

}  // namespace ringwave::dsp
