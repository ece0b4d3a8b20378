// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/reverb.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/backend/block_trial.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/reverb_twins.hpp"

namespace ringwave::dsp {
namespace {

using backend::is_sample_rate;
using backend::within;

bool valid(const Reverb::Spec& r) noexcept {
  const Reverb::Settings& s = r.settings;
  return is_sample_rate(r.sample_rate_hz) && within(r.room, 0.1, 4) && within(s.decay_s, 0.05, 60) &&
         within(s.damp, 0, 0.999) && within(s.width, 0, 1) && within(s.mix, 0, 1);
}

/// The next prime number: lines of prime lengths repeat together as late as can be.
int prime_from(int number) noexcept {
  for (;; ++number) {
    bool prime = number > 1;
    for (int factor = 2; prime && factor * factor <= number; ++factor) prime = number % factor != 0;
    if (prime) return number;
  }
}

}  // namespace

ReverbRule::Constants constants_of(const Reverb::Request& r) noexcept {
  constexpr double kGlideMs = 20;
  constexpr double kLineMs[ReverbRule::kLines] = {29.7, 37.1, 41.1, 43.7, 53.3, 59.9, 67.7, 73.3};
  const Reverb::Settings& s = r.settings;
  ReverbRule::Constants made;
  made.glide = -std::expm1(-1000 / (kGlideMs * r.sample_rate_hz));
  for (int i = 0; i < ReverbRule::kLines; ++i) {
    made.frames[i] = prime_from(static_cast<int>(kLineMs[i] * r.room * r.sample_rate_hz / 1000));
    made.knobs[i] = std::pow(10, -3 * made.frames[i] / (s.decay_s * r.sample_rate_hz));
  }
  made.knobs[ReverbRule::kBright] = 1 - s.damp;
  made.knobs[ReverbRule::kDry] = 1 - s.mix;
  made.knobs[ReverbRule::kCommon] = s.mix * std::cos(s.width * std::numbers::pi / 2) / std::sqrt(8);
  made.knobs[ReverbRule::kOwn] = s.mix * std::sin(s.width * std::numbers::pi / 2) / std::sqrt(8);
  return made;
}

Reverb::Reverb(Device device, const Spec& spec)
    : BlockFront(kName.data(), spec.channels, spec.max_block_frames), spec_(spec) {
  if (!valid(spec))
    throw InvalidArgument("reverb was asked for with a decay of " + std::to_string(spec.settings.decay_s) +
                          " s in a room of " + std::to_string(spec.room) + " at " +
                          std::to_string(spec.sample_rate_hz) +
                          " Hz, or with a damp, width or mix out of range; reverb.hpp has the ranges");
  prepare<Reverb>(device, spec);
}

bool Reverb::set(const Settings& settings) noexcept {
  Spec changed = spec_;
  changed.settings = settings;
  if (!valid(changed)) return false;
  twin<ReverbTwin>().set(constants_of(changed));
  return true;
}

backend::OpInfo Reverb::info() {
  return {.name = std::string(kName),
          .summary = "a room of eight delay lines",
          .sizes = {64, 512, 2048},
          .batches = {1, 16, 128},
          .make_trial = [](Device device, int size, int batch) {
            return backend::make_block_trial(Reverb(device, {.channels = batch, .max_block_frames = size}),
                                             batch, size);
          }};
}

}  // namespace ringwave::dsp
