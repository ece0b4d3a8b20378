// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ringwave/music/accompaniment.hpp"
#include "ringwave/music/form.hpp"
#include "ringwave/music/melody.hpp"
#include "ringwave/music/note.hpp"
#include "ringwave/music/percussion.hpp"
#include "ringwave/music/progression.hpp"
#include "ringwave/music/settings.hpp"

namespace ringwave::music {

/// An endless piece of music. What a bar holds is a pure function of the settings, the seed and the bar's
/// number: the same on every machine, and bar 1,000 costs no more than bar 0.
///
///   const Composer composer(preset("focus").settings, 42);
///   for (const Note& note : composer.bar(1000)) …
class Composer {
 public:
  /// Throws InvalidArgument for settings out of range. [setup]
  Composer(const Settings& settings, std::uint64_t seed);

  /// The notes that begin in a bar, in order; none before bar 0. Some sound on beyond its end. [setup]
  [[nodiscard]] std::vector<Note> bar(std::int64_t number) const;

  /// The notes that begin in the four bars of a phrase, in order. [setup]
  [[nodiscard]] std::vector<Note> phrase(std::int64_t phrase) const;

  /// The chords of a phrase. [setup]
  [[nodiscard]] std::vector<ChordSpan> chords(std::int64_t phrase) const {
    return progression_.phrase(phrase);
  }

  [[nodiscard]] const Settings& settings() const noexcept { return settings_; }
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

 private:
  Settings settings_;
  std::uint64_t seed_;
  Form form_;
  Progression progression_;
  Melody melody_;
  Accompaniment accompaniment_;
  Percussion percussion_;
};

}  // namespace ringwave::music
