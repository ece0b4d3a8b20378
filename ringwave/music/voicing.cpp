// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/voicing.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace ringwave::music {
namespace {

constexpr int kReach = 10;  // semitones on either side of the middle

/// The way from each note to the nearest of the chord before, and back.
int movement(std::span<const int> before, std::span<const int> now) {
  const auto one_way = [](std::span<const int> from, std::span<const int> to) {
    int sum = 0;
    for (const int note : from) {
      int nearest = std::numeric_limits<int>::max();
      for (const int other : to) nearest = std::min(nearest, std::abs(note - other));
      sum += nearest;
    }
    return sum;
  };
  return one_way(before, now) + one_way(now, before);
}

/// Notes a semitone apart rub, and low ones less than a third apart are mud.
int crowding(std::span<const int> pitches) {
  int sum = 0;
  for (std::size_t i = 1; i < pitches.size(); ++i) {
    const int gap = pitches[i] - pitches[i - 1];
    if (gap <= 1) sum += 8;
    if (gap == 2) sum += pitches[i] < 60 ? 6 : 2;
    if (gap > 7) sum += gap - 7;
  }
  return sum;
}

/// So that the next phrase, which begins near the middle again, need not leap.
int distance(std::span<const int> pitches, int middle) {
  int sum = 0;
  int far = 0;
  for (const int pitch : pitches) {
    sum += pitch - middle;
    far += std::max(0, std::abs(pitch - middle) - 6);
  }
  return std::abs(sum) / static_cast<int>(pitches.size()) + 2 * far;
}

int cost(std::span<const int> pitches, int middle, std::span<const int> before) {
  return (before.empty() ? 0 : 2 * movement(before, pitches)) + 2 * distance(pitches, middle) +
         3 * crowding(pitches);
}

}  // namespace

std::vector<int> voiced(const Scale& scale, const Chord& chord, int middle, std::span<const int> before) {
  std::vector<std::vector<int>> places;  // of each tone
  for (const int step : chord.steps()) {
    std::vector<int>& octaves = places.emplace_back();
    const int pitch_class = scale.pitch(step) % 12;
    for (int pitch = middle - kReach; pitch <= middle + kReach; ++pitch)
      if (pitch % 12 == pitch_class) octaves.push_back(pitch);
  }
  std::vector<int> best;
  int least = std::numeric_limits<int>::max();
  std::vector<std::size_t> choice(places.size());
  while (true) {
    std::vector<int> pitches;
    for (std::size_t i = 0; i < places.size(); ++i) pitches.push_back(places[i][choice[i]]);
    std::ranges::sort(pitches);
    if (const int now = cost(pitches, middle, before); now < least) {
      least = now;
      best = std::move(pitches);
    }
    std::size_t tone = 0;  // the next choice, as an odometer goes on
    while (tone < places.size() && ++choice[tone] == places[tone].size()) choice[tone++] = 0;
    if (tone == places.size()) return best;
  }
}

}  // namespace ringwave::music
