// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/midi_clock.hpp"

#include <algorithm>
#include <iterator>

namespace ringwave::music {

MidiClock::MidiClock(const MidiFile& file) {
  if (file.ticks_per_beat == 0) {
    const double frames_per_second = file.frames_per_second == 29 ? 30 / 1.001 : file.frames_per_second;
    stretches_.push_back({0, 0, 1 / (frames_per_second * file.ticks_per_frame)});
    return;
  }
  const auto per_tick = [&](int microseconds) { return microseconds * 1e-6 / file.ticks_per_beat; };
  stretches_.push_back({0, 0, per_tick(MidiFile::Tempo{}.microseconds_per_beat)});
  for (const MidiFile::Tempo& tempo : file.tempi)
    stretches_.push_back({tempo.tick, seconds_at(tempo.tick), per_tick(tempo.microseconds_per_beat)});
}

double MidiClock::seconds_at(std::int64_t tick) const noexcept {
  const auto later =
      std::ranges::upper_bound(stretches_, std::max<std::int64_t>(tick, 0), {}, &Stretch::tick);
  const Stretch& now = *std::prev(later);
  return now.seconds + static_cast<double>(tick - now.tick) * now.seconds_per_tick;
}

}  // namespace ringwave::music
