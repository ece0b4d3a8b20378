// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/percussion.hpp"

#include <algorithm>

#include "ringwave/music/chance.hpp"

namespace ringwave::music {
namespace {

constexpr int kLatestTicks = 8;

}  // namespace

std::vector<Note> Percussion::kicks(std::int64_t phrase, const Form& form) const {
  std::vector<Note> notes;
  for (int bar = 0; bar < Form::kBarsPerPhrase; ++bar) {
    const std::int64_t number = phrase * Form::kBarsPerPhrase + bar;
    const int energy = form.energy(number);
    Chance chance(seed_, Chance::For::kicks, number);
    for (int beat = 0; beat < kBeatsPerBar; ++beat) {
      // From one in four bars to one and three, to every beat.
      const int permille = beat == 0   ? (bar == 0 ? 700 + energy * 3 / 10 : energy * 9 / 10)
                           : beat == 2 ? std::max(0, energy - 300)
                                       : std::max(0, energy - 700) * 2;
      const int velocity = 58 + energy * 36 / 1000 - (beat == 0 ? 0 : 8) + chance.between(-5, 5);
      const std::int64_t tick = number * kTicksPerBar + beat * kTicksPerBeat + chance.below(kLatestTicks + 1);
      if (chance.happens(permille))
        notes.push_back(make_note(Layer::kicks, tick, kTicksPerBeat / 2, kKickPitch, velocity));
    }
  }
  return notes;
}

std::vector<Note> Percussion::hats(std::int64_t phrase, const Form& form) const {
  constexpr int kSlots = 16;
  std::vector<Note> notes;
  for (int bar = 0; bar < Form::kBarsPerPhrase; ++bar) {
    const std::int64_t number = phrase * Form::kBarsPerPhrase + bar;
    const int energy = form.energy(number);
    Chance chance(seed_, Chance::For::hats, number);
    for (int slot = 0; slot < kSlots; ++slot) {
      // Between the beats first, on them next, sixteenths last.
      const int permille = slot % 4 == 2   ? 250 + energy * 7 / 10
                           : slot % 4 == 0 ? std::max(0, energy - 350)
                                           : std::max(0, energy - 650) / 2;
      const int velocity = (slot % 4 == 2 ? 44 : 32) + energy * 22 / 1000 + chance.between(-7, 7);
      const std::int64_t tick =
          number * kTicksPerBar + slot * (kTicksPerBar / kSlots) + chance.below(kLatestTicks + 1);
      if (chance.happens(permille))
        notes.push_back(make_note(Layer::hats, tick, kTicksPerBar / kSlots, kHatPitch, velocity));
    }
  }
  return notes;
}

std::vector<Note> Percussion::swells(std::int64_t phrase, const Form& form) const {
  const std::int64_t end_bar = (phrase + 1) * Form::kBarsPerPhrase;
  Chance chance(seed_, Chance::For::swells, phrase);
  const int bars = chance.between(1, 2);
  const int velocity = 40 + form.energy(end_bar - 1) * 30 / 1000 + chance.between(-6, 6);
  // It rises into the next phrase and dies away over its first beats.
  const int length = bars * kTicksPerBar + 2 * kTicksPerBeat;
  return {make_note(Layer::swells, (end_bar - bars) * kTicksPerBar, length, kSwellPitch, velocity)};
}

}  // namespace ringwave::music
