// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/music/settings.hpp"

namespace ringwave::music {

/// How a piece goes on over minutes: four bars are a phrase, two phrases ask and answer, four are a section.
/// Every section has a level of its own, and the music moves in a straight line from one to the next; what
/// plays and how high it lies changes with them.
class Form {
 public:
  static constexpr int kBarsPerPhrase = 4;
  static constexpr int kPhrasesPerSection = 4;
  static constexpr int kBarsPerSection = kBarsPerPhrase * kPhrasesPerSection;

  Form(const Settings& settings, std::uint64_t seed) noexcept;

  [[nodiscard]] static constexpr std::int64_t phrase_of(std::int64_t bar) noexcept {
    return bar / kBarsPerPhrase;
  }
  [[nodiscard]] static constexpr std::int64_t section_of(std::int64_t phrase) noexcept {
    return phrase / kPhrasesPerSection;
  }

  /// How much happens at a bar, 0 to 1000: the intensity that was asked for, give or take a fifth. [any]
  [[nodiscard]] int energy(std::int64_t bar) const noexcept;

  /// True where a layer plays in a phrase: it is on, and has no rest there. Bells and drums come and go with
  /// the section, melody and bass with two phrases. Pads never rest, and a melody or a bass rests only where
  /// there are pads. [any]
  [[nodiscard]] bool plays(Layer layer, std::int64_t phrase) const noexcept;

  /// Semitones by which a section lies above or below the middle. [any]
  [[nodiscard]] int lift(std::int64_t section) const noexcept;

 private:
  [[nodiscard]] int offset(std::int64_t section) const noexcept;

  std::uint64_t seed_;
  LayerSet layers_;
  int intensity_;  // in thousandths
};

}  // namespace ringwave::music
