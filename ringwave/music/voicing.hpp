// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "ringwave/music/chord.hpp"

namespace ringwave::music {

/// Puts the tones of a chord where hands would: near `middle`, which is a pitch, not too close to each other
/// below it, and with as little movement from `before` as can be. The pitches from the lowest up. [setup]
[[nodiscard]] std::vector<int> voiced(const Scale& scale, const Chord& chord, int middle,
                                      std::span<const int> before);

}  // namespace ringwave::music
