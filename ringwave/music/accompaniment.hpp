// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ringwave/music/form.hpp"
#include "ringwave/music/note.hpp"
#include "ringwave/music/progression.hpp"

namespace ringwave::music {

/// What carries the melody: pads that hold every chord from one change to the next, led smoothly; a bass on
/// its roots; bells far above.
class Accompaniment {
 public:
  Accompaniment(const Settings& settings, std::uint64_t seed);

  /// The notes of a phrase over its chords. [setup]
  [[nodiscard]] std::vector<Note> pads(std::int64_t phrase, std::span<const ChordSpan> chords,
                                       const Form& form) const;
  [[nodiscard]] std::vector<Note> bass(std::int64_t phrase, std::span<const ChordSpan> chords,
                                       const Form& form) const;
  [[nodiscard]] std::vector<Note> bells(std::int64_t phrase, std::span<const ChordSpan> chords,
                                        const Form& form) const;

 private:
  Scale scale_;
  std::uint64_t seed_;
};

}  // namespace ringwave::music
