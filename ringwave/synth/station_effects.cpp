// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/station_effects.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "ringwave/core/error.hpp"
#include "ringwave/core/number_text.hpp"

namespace ringwave::synth {
namespace {

void require(std::string_view name, double value, double least, double most) {
  if (value >= least && value <= most) return;  // false for what is no number
  throw InvalidArgument("a station's " + std::string(name) + " of " + number_text(value) +
                        " was asked for; use " + number_text(least) + " to " + number_text(most));
}

}  // namespace

void require_valid(const StationEffects& effects) {
  require("bass_db", effects.tone.bass_db, -24, 24);
  require("treble_db", effects.tone.treble_db, -24, 24);
  require("chorus level", effects.chorus.level, 0, 1);
  require("chorus depth_ms", effects.chorus.depth_ms, 0, 5);
  require("chorus hz", effects.chorus.hz, 0.01, 10);
  require("delay level", effects.delay.level, 0, 1);
  require("delay seconds", effects.delay.seconds, StationEffects::kLeastDelay, StationEffects::kMostDelay);
  require("delay feedback", effects.delay.feedback, 0, 0.9);
  require("room level", effects.room.level, 0, 1);
  require("room decay_s", effects.room.decay_s, 0.1, 30);
  require("room damp", effects.room.damp, 0, 1);
  require("gain_db", effects.gain_db, StationEffects::kLeastGainDb, StationEffects::kMostGainDb);
  if (effects.loudness_lufs) require("loudness_lufs", *effects.loudness_lufs, -60, 0);
  require("ceiling_dbtp", effects.ceiling_dbtp, -24, 0);
}

double tempo_delay(double bpm) noexcept {
  const double beat = 60 / bpm;
  double seconds = StationEffects::kMostDelay;
  for (const double share : {0.375, 0.5, 0.75})
    if (beat * share < StationEffects::kMostDelay + 1e-9) seconds = beat * share;
  return std::clamp(seconds, StationEffects::kLeastDelay, StationEffects::kMostDelay);
}

StationEffects effects_of(const music::Settings& settings) {
  const double calm = 1 - settings.intensity;
  StationEffects made;
  made.delay.seconds = tempo_delay(settings.bpm);
  made.delay.level = 0.14 + 0.1 * calm;
  made.room = {.level = 0.22 + 0.2 * calm, .decay_s = 2 + 3.5 * calm, .damp = 0.35};
  return made;
}

}  // namespace ringwave::synth
