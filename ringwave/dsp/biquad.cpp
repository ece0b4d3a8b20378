// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/biquad.hpp"

#include <algorithm>
#include <string>

#include "ringwave/backend/block_trial.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/biquad_twins.hpp"
#include "ringwave/dsp/butterworth.hpp"

namespace ringwave::dsp {

Biquad::Biquad(Device device, const Spec& spec, std::span<const Section> sections)
    : BlockFront(kName.data(), spec.channels, spec.max_block_frames), sections_(sections.size()) {
  if (sections.empty() || sections.size() > kMostSections)
    throw InvalidArgument("biquad was asked for with " + std::to_string(sections.size()) +
                          " sections; use 1 to " + std::to_string(kMostSections));
  if (spec.smooth_frames < 0)
    throw InvalidArgument("biquad was asked for with changes over " + std::to_string(spec.smooth_frames) +
                          " frames; use 0 or more");
  require_stable(sections);
  prepare<Biquad>(device, {spec, {sections.begin(), sections.end()}});
}

bool Biquad::set_sections(std::span<const Section> sections) noexcept {
  if (sections.size() != sections_ || !std::ranges::all_of(sections, is_stable)) return false;
  twin<BiquadTwin>().set_sections(sections);
  return true;
}

backend::OpInfo Biquad::info() {
  return {.name = std::string(kName),
          .summary = "a cascade of second-order sections",
          .sizes = {64, 256, 1024, 4096, 16384, 65536, 262144},
          .batches = {1, 8, 64, 512},
          .make_trial = [](Device device, int size, int batch) {
            const auto lowpass = butterworth_lowpass(8, 1000, 48000);
            return backend::make_block_trial(
                Biquad(device, {.channels = batch, .max_block_frames = size}, lowpass), batch, size);
          }};
}

}  // namespace ringwave::dsp
