// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/chorus.hpp"

#include <cmath>
#include <string>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/backend/block_trial.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/chorus_twins.hpp"

namespace ringwave::dsp {
namespace {

using backend::is_sample_rate;
using backend::within;

bool valid(const Chorus::Spec& r) noexcept {
  const Chorus::Settings& s = r.settings;
  return is_sample_rate(r.sample_rate_hz) && within(r.voices, 1, 8) && within(s.delay_ms, 0.3, 50) &&
         within(s.depth_ms, 0, s.delay_ms - 0.3) && within(s.rate_hz, 0, 20) && within(s.mix, 0, 1) &&
         within(s.spread, 0, 0.5);
}

}  // namespace

ChorusRule::Constants constants_of(const Chorus::Request& r) noexcept {
  constexpr double kGlideMs = 50;
  constexpr double kLongestMs = 100;
  const double frames = r.sample_rate_hz / 1000;  // of a millisecond
  const Chorus::Settings& s = r.settings;
  return {{s.delay_ms * frames, s.depth_ms * frames, 1 - s.mix, s.mix / std::sqrt(r.voices), s.spread},
          -std::expm1(-1000 / (kGlideMs * r.sample_rate_hz)),
          static_cast<unsigned>(s.rate_hz / r.sample_rate_hz * 4294967296.0),
          r.voices,
          static_cast<int>(std::ceil(kLongestMs * frames)) + 4};
}

Chorus::Chorus(Device device, const Spec& spec)
    : BlockFront(kName.data(), spec.channels, spec.max_block_frames), spec_(spec) {
  if (!valid(spec))
    throw InvalidArgument("chorus was asked for with " + std::to_string(spec.voices) + " voices, " +
                          std::to_string(spec.settings.delay_ms) + " ms late and " +
                          std::to_string(spec.settings.depth_ms) + " ms deep at " +
                          std::to_string(spec.sample_rate_hz) +
                          " Hz, or with a rate, mix or spread out of range; chorus.hpp has the ranges");
  prepare<Chorus>(device, spec);
}

bool Chorus::set(const Settings& settings) noexcept {
  Spec changed = spec_;
  changed.settings = settings;
  if (!valid(changed)) return false;
  twin<ChorusTwin>().set(constants_of(changed));
  return true;
}

backend::OpInfo Chorus::info() {
  return {.name = std::string(kName),
          .summary = "voices that are late by a little more and less",
          .sizes = {64, 512, 2048},
          .batches = {1, 16, 128},
          .make_trial = [](Device device, int size, int batch) {
            return backend::make_block_trial(Chorus(device, {.channels = batch, .max_block_frames = size}),
                                             batch, size);
          }};
}

}  // namespace ringwave::dsp
