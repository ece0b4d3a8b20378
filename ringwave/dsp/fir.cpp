// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/fir.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "ringwave/backend/block_trial.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/fir_twins.hpp"

namespace ringwave::dsp {

Fir::Fir(Device device, const Spec& spec, std::span<const float> taps)
    : BlockFront(kName.data(), spec.channels, spec.max_block_frames) {
  if (taps.empty() || taps.size() > kMostTaps)
    throw InvalidArgument("fir was asked for with " + std::to_string(taps.size()) + " taps; use 1 to " +
                          std::to_string(kMostTaps));
  const auto bad = std::ranges::find_if_not(taps, [](float tap) { return std::isfinite(tap); });
  if (bad != taps.end())
    throw InvalidArgument("tap " + std::to_string(bad - taps.begin()) + " of a fir is not finite");
  prepare<Fir>(device, {spec, {taps.begin(), taps.end()}});
}

backend::OpInfo Fir::info() {
  return {.name = std::string(kName),
          .summary = "a filter of 128 taps without feedback",
          .sizes = {64, 256, 1024, 4096, 16384},
          .batches = {1, 8, 64, 512},
          .make_trial = [](Device device, int size, int batch) {
            const std::vector<float> taps(128, 1.0F / 128);
            return backend::make_block_trial(Fir(device, {.channels = batch, .max_block_frames = size}, taps),
                                             batch, size);
          }};
}

}  // namespace ringwave::dsp
