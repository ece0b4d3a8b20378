// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/melody.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "ringwave/music/chance.hpp"

namespace ringwave::music {
namespace {

constexpr int kSlotsPerBar = 8;  // a slot is an eighth note
constexpr int kSlots = kSlotsPerBar * Form::kBarsPerPhrase;
constexpr int kHalf = kSlots / 2;
constexpr int kSlotTicks = kTicksPerBar / kSlotsPerBar;
constexpr int kMiddlePitch = 71;
constexpr int kLatestTicks = 12;  // after the beat: about ten milliseconds

enum class Contour : unsigned char { arch, valley, wave, rise, fall };

/// How a bar's slots are stressed, in thousandths: the one, the three, the other beats, the rest.
int stress(int slot) noexcept {
  constexpr std::array kStress{1000, 350, 600, 350, 800, 350, 600, 450};
  return kStress[static_cast<std::size_t>(slot % kSlotsPerBar)];
}

/// Steps above the middle at a slot.
int height(Contour contour, int slot, int range) noexcept {
  const int t = slot * 1000 / (kSlots - 1);
  const int bow = 4 * t * (1000 - t) / 1000;  // 0 at the ends, 1000 in the middle
  switch (contour) {
    case Contour::arch:
      return range * bow / 1000;
    case Contour::valley:
      return range - range * bow / 1000;
    case Contour::wave:
      return t < 500 ? range * (4 * 2 * t * (1000 - 2 * t) / 1000) / 1000
                     : -range * (4 * (2 * t - 1000) * (2000 - 2 * t) / 1000) / 2000;
    case Contour::rise:
      return range * t / 1000;
    case Contour::fall:
      break;
  }
  return range - range * t / 1000;
}

/// Which slots of a phrase begin a note.
using Rhythm = std::array<bool, kSlots>;

/// The section's rhythm of two bars, changed a little in every pair; the ends of question and answer are
/// their own.
Rhythm rhythm_of(std::uint64_t seed, std::int64_t phrase, int energy, int complexity) noexcept {
  const int density = 120 + energy * 3 / 10 + complexity * 3 / 10;
  const auto begins = [density](Chance& chance, int slot) {
    return chance.happens(density * (400 + stress(slot)) / 1000);
  };
  Chance of_section(seed, Chance::For::motif, Form::section_of(phrase) * 2);
  Chance of_pair(seed, Chance::For::motif, phrase / 2 * 2 + 1);
  Chance own(seed, Chance::For::melody, phrase * 2 + 1);
  Rhythm rhythm{};
  for (int slot = 0; slot < kHalf; ++slot) {
    const bool is_motif = begins(of_section, slot);
    const bool changed = begins(of_pair, slot);
    rhythm[static_cast<std::size_t>(slot)] = of_pair.happens(200) ? changed : is_motif;
  }
  for (int slot = kHalf; slot < kSlots; ++slot) rhythm[static_cast<std::size_t>(slot)] = begins(own, slot);
  if (std::none_of(rhythm.begin(), rhythm.begin() + kHalf, std::identity{}))
    rhythm[of_pair.happens(500) ? 0 : 2] = true;
  // The last note comes on the one or the three of the last bar, and rings.
  const int last = kSlots - kSlotsPerBar + 4 * own.below(2);
  for (int slot = last - 1; slot < kSlots; ++slot) rhythm[static_cast<std::size_t>(slot)] = slot == last;
  return rhythm;
}

const Chord& chord_at(std::span<const ChordSpan> chords, int slot) noexcept {
  const int bar = slot / kSlotsPerBar;
  const auto later =
      std::ranges::find_if(chords, [bar](const ChordSpan& span) { return span.first_bar > bar; });
  return std::prev(later)->chord;
}

/// The tone of the chord that is nearest to a step.
int nearest_tone(const Chord& chord, int step, bool upwards) noexcept {
  for (int away = 0;; ++away) {
    const int first = upwards ? step + away : step - away;
    if (chord.has(first)) return first;
    if (chord.has(2 * step - first)) return 2 * step - first;
  }
}

/// Where a question may not end and an answer should.
bool is_root(const Chord& chord, const Scale& scale, int step) noexcept {
  return (step - chord.degree()) % scale.size() == 0;
}

}  // namespace

Melody::Melody(const Settings& settings, std::uint64_t seed)
    : scale_(settings.key, settings.mode),
      seed_(seed),
      complexity_(to_permille(settings.melody_complexity)) {}

std::vector<Note> Melody::phrase(std::int64_t phrase, std::span<const ChordSpan> chords,
                                 const Form& form) const {
  const std::int64_t first_bar = phrase * Form::kBarsPerPhrase;
  const int energy = form.energy(phrase / 2 * 2 * Form::kBarsPerPhrase);  // of the pair: both begin alike
  const bool is_answer = phrase % 2 == 1;
  const Rhythm rhythm = rhythm_of(seed_, phrase, energy, complexity_);
  Chance shared(seed_, Chance::For::melody, phrase / 2 * 4);  // question and answer begin alike
  Chance own(seed_, Chance::For::melody, phrase * 4 + 2);
  const auto contour = static_cast<Contour>(shared.below(5));
  const int range = 2 + complexity_ * 4 / 1000 + shared.below(3);
  const int lowest = scale_.step_at(kLowestPitch) + 1;
  const int highest = scale_.step_at(kHighestPitch);
  const int middle = scale_.step_at(kMiddlePitch + form.lift(Form::section_of(phrase)));
  // Of chord, scale and chromatic tones; of the last so few that the key stays clear.
  const std::array kinds{720 - complexity_ * 35 / 100, 280 + complexity_ * 33 / 100, complexity_ * 2 / 100};
  std::vector<int> onsets;
  for (int slot = 0; slot < kSlots; ++slot)
    if (rhythm[static_cast<std::size_t>(slot)]) onsets.push_back(slot);

  std::vector<Note> notes;
  int last = middle + height(contour, 0, range);
  for (std::size_t i = 0; i < onsets.size(); ++i) {
    const int slot = onsets[i];
    const bool is_last = i + 1 == onsets.size();
    Chance& chance = slot < kHalf ? shared : own;
    const Chord& chord = chord_at(chords, slot);
    const std::size_t kind = chance.pick(kinds);
    const bool upwards = chance.happens(500);
    const int sway = chance.between(-1, 1);
    const int wanted = (2 * (middle + height(contour, slot, range)) + last) / 3 + sway;
    const bool is_stressed = stress(slot) >= 800;
    int step = kind == 0 || is_stressed || is_last ? nearest_tone(chord, wanted, upwards) : wanted;
    if (step == last && !is_last && chance.happens(600)) {  // standing still is for endings
      step = last + (upwards ? 1 : -1);
      if (kind == 0) step = nearest_tone(chord, step, upwards);
    }
    step = std::clamp(step, lowest, highest);
    if (is_last)
      while (is_root(chord, scale_, step) != is_answer || !chord.has(step)) --step;
    int pitch = scale_.pitch(step);
    const int gap = (is_last ? kSlots : onsets[i + 1]) - slot;
    const bool may_pass = !is_stressed && !is_last && gap <= 2;
    if (kind == 2 && may_pass && !scale_.has(pitch + 1)) ++pitch;  // on its way to the next
    const int held = std::min(gap, 8) * kSlotTicks * chance.between(750, 1000) / 1000;
    const int velocity = 44 + energy * 34 / 1000 + stress(slot) * 14 / 1000 + chance.between(-6, 6);
    notes.push_back(
        {.begin_tick = first_bar * kTicksPerBar + slot * kSlotTicks + chance.below(kLatestTicks + 1),
         .layer = Layer::melody,
         .pitch = static_cast<std::uint8_t>(pitch),
         .velocity = static_cast<std::uint8_t>(velocity),
         .length_ticks = held});
    last = step;
  }
  return notes;
}

}  // namespace ringwave::music
