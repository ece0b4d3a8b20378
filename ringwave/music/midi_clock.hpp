// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ringwave/music/midi_file.hpp"

namespace ringwave::music {

/// The seconds of ticks, through all changes of tempo.
class MidiClock {
 public:
  explicit MidiClock(const MidiFile& file);

  /// [any]
  [[nodiscard]] double seconds_at(std::int64_t tick) const noexcept;

 private:
  struct Stretch {
    std::int64_t tick;
    double seconds;
    double seconds_per_tick;
  };
  std::vector<Stretch> stretches_;
};

}  // namespace ringwave::music
