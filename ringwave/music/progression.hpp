// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ringwave/music/chord.hpp"
#include "ringwave/music/form.hpp"
#include "ringwave/music/settings.hpp"

namespace ringwave::music {

/// A chord that sounds for some bars of a phrase.
struct ChordSpan {
  Chord chord;
  int first_bar;  ///< of the phrase
  int bars;
};

/// The chords of a piece. Each comes from the one before it by the table of its mode,
///
///   weight(a to b) = (1 - variety) table[a][b] + variety (mean of table[a]),
///
/// where a chord that the mode avoids is avoided at any variety. A phrase begins where its own dice say, at
/// the tonic in every first phrase of a section, and its last chord is drawn to lead to the first of the
/// next.
class Progression {
 public:
  Progression(const Settings& settings, std::uint64_t seed);

  /// The chords of a phrase in order; they fill its bars. [setup]
  [[nodiscard]] std::vector<ChordSpan> phrase(std::int64_t phrase) const;

  [[nodiscard]] const Scale& scale() const noexcept { return scale_; }

 private:
  using Weights = std::array<int, 7>;

  [[nodiscard]] int first_degree(std::int64_t phrase) const noexcept;
  [[nodiscard]] Chord::Shape shape_at(std::int64_t phrase, int bar) const noexcept;
  [[nodiscard]] std::size_t degrees() const noexcept { return static_cast<std::size_t>(scale_.size()); }

  Scale scale_;
  std::uint64_t seed_;
  int density_;                       // in thousandths
  std::array<Weights, 7> weights_{};  // from, to
};

}  // namespace ringwave::music
