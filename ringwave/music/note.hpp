// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

#include "ringwave/music/layer.hpp"

namespace ringwave::music {

inline constexpr int kTicksPerBeat = 960;  ///< a beat is a quarter note
inline constexpr int kBeatsPerBar = 4;
inline constexpr int kTicksPerBar = kTicksPerBeat * kBeatsPerBar;

/// A note of a score.
struct Note {
  std::int64_t begin_tick = 0;  ///< from the beginning of bar 0
  Layer layer = Layer::pads;
  std::uint8_t pitch = 0;     ///< a MIDI note number; percussion has the General MIDI one
  std::uint8_t velocity = 0;  ///< 1 to 127
  std::int32_t length_ticks = 0;

  /// In the order of time, then of the layers, then from the lowest up.
  // NOLINTNEXTLINE(modernize-use-nullptr): the zero that the default compares with is no pointer
  friend auto operator<=>(const Note&, const Note&) = default;
};

/// A note of numbers that are in range. [any]
[[nodiscard]] inline Note make_note(Layer layer, std::int64_t begin_tick, int length_ticks, int pitch,
                                    int velocity) noexcept {
  return {.begin_tick = begin_tick,
          .layer = layer,
          .pitch = static_cast<std::uint8_t>(pitch),
          .velocity = static_cast<std::uint8_t>(velocity),
          .length_ticks = length_ticks};
}

}  // namespace ringwave::music
