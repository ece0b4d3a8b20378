// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/conductor.hpp"

#include <cmath>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::music {

Conductor::Conductor(const Settings& settings, std::uint64_t seed, int sample_rate_hz, Place from)
    : composer_(settings, seed), sample_rate_hz_(sample_rate_hz), next_(from) {
  if (sample_rate_hz < 1)
    throw InvalidArgument("a piece was asked for at " + std::to_string(sample_rate_hz) +
                          " Hz; use 1 Hz or more");
  if (from.phrase < 0)
    throw InvalidArgument("a piece was to go on from phrase " + std::to_string(from.phrase) +
                          "; the first one is 0");
}

void Conductor::change(const Settings& settings) {
  composer_ = Composer(settings, composer_.seed());
}

std::int64_t Conductor::frames(std::int64_t ticks) const noexcept {
  const double beats = static_cast<double>(ticks) / kTicksPerBeat;
  return std::llround(beats * 60 * sample_rate_hz_ / composer_.settings().bpm);
}

std::vector<TimedNote> Conductor::next_phrase() {
  constexpr std::int64_t kPhraseTicks = std::int64_t{kTicksPerBar} * Form::kBarsPerPhrase;
  std::vector<TimedNote> timed;
  for (const Note& note : composer_.phrase(next_.phrase)) {
    const std::int64_t begin = note.begin_tick - next_.phrase * kPhraseTicks;
    timed.push_back({next_.frame + frames(begin), next_.frame + frames(begin + note.length_ticks), note});
  }
  next_.frame += frames(kPhraseTicks);
  ++next_.phrase;
  return timed;
}

}  // namespace ringwave::music
