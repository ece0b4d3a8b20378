// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "ringwave/music/layer.hpp"
#include "ringwave/music/scale.hpp"

namespace ringwave::music {

/// What a listener chooses of a piece.
struct Settings {
  static constexpr double kLeastBpm = 40;
  static constexpr double kMostBpm = 120;

  int key = 0;  ///< the pitch class of the root: C = 0 to B = 11
  Mode mode = Mode::aeolian;
  double bpm = 60;                   ///< quarter notes a minute, kLeastBpm to kMostBpm
  double intensity = 0.5;            ///< 0 to 1: how much plays, and how loud
  double melody_complexity = 0.5;    ///< 0 to 1: from chord tones to passing ones, from long notes to short
  double progression_variety = 0.5;  ///< 0 to 1: from the mode's own progressions to any
  double harmonic_density = 0.5;     ///< 0 to 1: from triads that stay to ninths that change every bar
  LayerSet layers = LayerSet::all();

  friend bool operator==(const Settings&, const Settings&) = default;
};

/// Throws InvalidArgument for a value out of its range, naming it. [setup]
void require_valid(const Settings& settings);

/// A share from 0 to 1 in thousandths: composing uses whole numbers alone, which are the same everywhere.
/// [any]
[[nodiscard]] inline int to_permille(double share) noexcept {
  return static_cast<int>(std::lround(share * 1000));
}

}  // namespace ringwave::music
