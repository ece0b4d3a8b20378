// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ringwave/music/composer.hpp"

namespace ringwave::music {

/// A note on the clock of the audio.
struct TimedNote {
  std::int64_t begin_frame;
  std::int64_t end_frame;  ///< where it is released
  Note note;
};

/// Plays a piece phrase by phrase: turns bars into frames of audio, and lets new settings in where a phrase
/// begins, so that nothing is cut. Within a phrase
///
///   frame = first frame of the phrase + round(ticks since then * 60 rate / (960 bpm))
///
/// Notes ring on over the border as they were written. Not for the audio thread: it composes.
class Conductor {
 public:
  /// A phrase, and the frame at which it begins.
  struct Place {
    std::int64_t phrase = 0;
    std::int64_t frame = 0;
  };

  /// Goes on from a place. Throws InvalidArgument for settings out of range, a negative phrase or a rate
  /// below 1 Hz. [setup]
  Conductor(const Settings& settings, std::uint64_t seed, int sample_rate_hz, Place from);
  Conductor(const Settings& settings, std::uint64_t seed, int sample_rate_hz)
      : Conductor(settings, seed, sample_rate_hz, Place{}) {}

  /// These settings from the next phrase on; a later call before then takes their place. Throws
  /// InvalidArgument. [setup]
  void change(const Settings& settings);

  /// The notes of the next phrase, in order. [setup]
  [[nodiscard]] std::vector<TimedNote> next_phrase();

  /// Where the next phrase begins. [any]
  [[nodiscard]] std::int64_t next_frame() const noexcept { return next_.frame; }
  [[nodiscard]] std::int64_t next_phrase_number() const noexcept { return next_.phrase; }
  /// What plays from the next phrase on. [any]
  [[nodiscard]] const Settings& settings() const noexcept { return composer_.settings(); }

 private:
  [[nodiscard]] std::int64_t frames(std::int64_t ticks) const noexcept;

  Composer composer_;
  int sample_rate_hz_;
  Place next_;
};

}  // namespace ringwave::music
