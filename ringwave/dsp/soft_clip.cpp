// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/soft_clip.hpp"

#include <cmath>
#include <string>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/backend/block_trial.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/soft_clip_twins.hpp"

namespace ringwave::dsp {
namespace {

using backend::within;

bool valid(const SoftClip::Settings& s) noexcept {
  return within(s.drive_db, -60, 60) && within(s.ceiling_db, -60, 60) && within(s.knee, 0, 0.99);
}

}  // namespace

SoftClipRule::Constants constants_of(const SoftClip::Settings& s) noexcept {
  const double ceiling = std::pow(10, s.ceiling_db / 20);
  return {std::pow(10, s.drive_db / 20), s.knee * ceiling, (1 - s.knee) * ceiling};
}

SoftClip::SoftClip(Device device, const Spec& spec)
    : BlockFront(kName.data(), spec.channels, spec.max_block_frames) {
  if (!valid(spec.settings))
    throw InvalidArgument(
        "soft_clip was asked for with a drive of " + std::to_string(spec.settings.drive_db) +
        " dB, a ceiling of " + std::to_string(spec.settings.ceiling_db) + " dB and a knee of " +
        std::to_string(spec.settings.knee) + "; use -60 to 60 dB, and a knee from 0 to 0.99");
  prepare<SoftClip>(device, spec);
}

bool SoftClip::set(const Settings& settings) noexcept {
  if (!valid(settings)) return false;
  twin<SoftClipTwin>().set(constants_of(settings));
  return true;
}

backend::OpInfo SoftClip::info() {
  return {.name = std::string(kName),
          .summary = "peaks bent instead of cut",
          .sizes = {64, 512, 4096},
          .batches = {1, 16, 128},
          .make_trial = [](Device device, int size, int batch) {
            return backend::make_block_trial(SoftClip(device, {.channels = batch, .max_block_frames = size}),
                                             batch, size);
          }};
}

}  // namespace ringwave::dsp
