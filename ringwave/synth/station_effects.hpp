// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ringwave/music/settings.hpp"

namespace ringwave::synth {

/// What a station does with the sum of its voices: tone, chorus, echo, room, loudness, and a ceiling that the
/// true peak does not pass.
struct StationEffects {
  static constexpr double kLeastDelay = 0.05;  ///< seconds
  static constexpr double kMostDelay = 0.6;
  static constexpr double kLeastGainDb = -60;
  static constexpr double kMostGainDb = 40;

  struct Tone {
    double bass_db = 0;    ///< below 150 Hz, -24 to 24
    double treble_db = 0;  ///< above 5 kHz, -24 to 24
  };
  struct Chorus {
    double level = 0.35;    ///< 0 to 1
    double depth_ms = 2.5;  ///< 0 to 5
    double hz = 0.35;       ///< 0.01 to 10
  };
  struct Delay {
    double level = 0.2;     ///< 0 to 1
    double seconds = 0.45;  ///< kLeastDelay to kMostDelay; the right side comes at two thirds of it
    double feedback = 0.4;  ///< 0 to 0.9
  };
  struct Room {
    double level = 0.3;    ///< 0 to 1
    double decay_s = 3.5;  ///< until it is 60 dB down, 0.1 to 30
    double damp = 0.4;     ///< 0 to 1: how much sooner the highs are gone
  };

  Tone tone{};
  Chorus chorus{};
  Delay delay{};
  Room room{};
  double gain_db = 0;  ///< before the ceiling, kLeastGainDb to kMostGainDb
  /// Brings the loudness there over minutes, on top of the gain. -60 to 0.
  std::optional<double> loudness_lufs{};
  double ceiling_dbtp = -1;  ///< -24 to 0
};

/// Throws InvalidArgument for a value out of its range, naming it. [setup]
void require_valid(const StationEffects& effects);

/// The longest of a dotted eighth, an eighth and a dotted sixteenth that fits into
/// StationEffects::kMostDelay, in seconds; StationEffects::kLeastDelay at least. [any]
[[nodiscard]] double tempo_delay(double bpm) noexcept;

/// What suits a piece: an echo in its tempo, a larger room for a calmer one. [any]
[[nodiscard]] StationEffects effects_of(const music::Settings& settings);

}  // namespace ringwave::synth
