// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ringwave/music/form.hpp"
#include "ringwave/music/note.hpp"
#include "ringwave/music/progression.hpp"
#include "ringwave/music/settings.hpp"

namespace ringwave::music {

/// A line over the chords. Two phrases belong together: the answer takes up the first two bars of the
/// question, over its own chords, and ends at rest, where the question ended open. The rhythm is the
/// section's, a little changed from pair to pair; the line follows a contour; the more complex it is, the
/// more of it is beside the chord.
class Melody {
 public:
  static constexpr int kLowestPitch = 57;
  static constexpr int kHighestPitch = 88;

  Melody(const Settings& settings, std::uint64_t seed);

  /// The notes of a phrase over its chords. [setup]
  [[nodiscard]] std::vector<Note> phrase(std::int64_t phrase, std::span<const ChordSpan> chords,
                                         const Form& form) const;

 private:
  Scale scale_;
  std::uint64_t seed_;
  int complexity_;  // in thousandths
};

}  // namespace ringwave::music
