// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/melody.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

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

/// Writes a phrase note by note; each looks back at the one before.
class Line {
 public:
  struct Plan {
    const Scale& scale;
    std::span<const ChordSpan> chords;
    std::uint64_t seed;
    std::int64_t phrase;
    int energy;
    int complexity;
    int middle;  // a step
  };

  explicit Line(const Plan& plan)
      : plan_(plan),
        shared_(plan.seed, Chance::For::melody, plan.phrase / 2 * 4),
        own_(plan.seed, Chance::For::melody, plan.phrase * 4 + 2),
        contour_(static_cast<Contour>(shared_.below(5))),
        range_(2 + plan.complexity * 4 / 1000 + shared_.below(3)),
        last_(plan.middle + height(contour_, 0, range_)) {}

  /// The note at a slot, `gap` slots before the next one; the last one has none.
  Note note(int slot, int gap, bool is_last) {
    Chance& chance = slot < kHalf ? shared_ : own_;  // question and answer begin alike
    const Kind kind = draw_kind(chance);
    last_ = is_last ? ending(choose_step(chance, kind, slot, true), slot)
                    : choose_step(chance, kind, slot, false);
    int pitch = plan_.scale.pitch(last_);
    const bool may_pass = !is_stressed(slot) && !is_last && gap <= 2;
    if (kind == Kind::chromatic && may_pass && !plan_.scale.has(pitch + 1))
      ++pitch;  // on its way to the next
    const int held = std::min(gap, 8) * kSlotTicks * chance.between(750, 1000) / 1000;
    const int velocity = 44 + plan_.energy * 34 / 1000 + stress(slot) * 14 / 1000 + chance.between(-6, 6);
    const std::int64_t bar_tick = plan_.phrase * Form::kBarsPerPhrase * kTicksPerBar;
    const int late = chance.below(kLatestTicks + 1);
    return make_note(Layer::melody, bar_tick + slot * kSlotTicks + late, held, pitch, velocity);
  }

 private:
  enum class Kind : unsigned char { chord, scale, chromatic };

  static bool is_stressed(int slot) noexcept { return stress(slot) >= 800; }

  /// The more complex, the less of the chord; chromatic tones are so few that the key stays clear.
  [[nodiscard]] Kind draw_kind(Chance& chance) const noexcept {
    const int complexity = plan_.complexity;
    const std::array weights{720 - complexity * 35 / 100, 280 + complexity * 33 / 100, complexity * 2 / 100};
    return static_cast<Kind>(chance.pick(weights));
  }

  /// Near the contour and near the last note.
  [[nodiscard]] int choose_step(Chance& chance, Kind kind, int slot, bool is_last) const noexcept {
    const Chord& chord = chord_at(plan_.chords, slot);
    const bool upwards = chance.happens(500);
    const int sway = chance.between(-1, 1);
    const int wanted = (2 * (plan_.middle + height(contour_, slot, range_)) + last_) / 3 + sway;
    const bool wants_chord = kind == Kind::chord || is_stressed(slot) || is_last;
    int step = wants_chord ? nearest_tone(chord, wanted, upwards) : wanted;
    if (step == last_ && !is_last && chance.happens(600)) {  // standing still is for endings
      step = last_ + (upwards ? 1 : -1);
      if (kind == Kind::chord) step = nearest_tone(chord, step, upwards);
    }
    return std::clamp(step, plan_.scale.step_at(Melody::kLowestPitch) + 1,
                      plan_.scale.step_at(Melody::kHighestPitch));
  }

  /// An answer ends on the root of its chord, a question on another of its tones.
  [[nodiscard]] int ending(int step, int slot) const noexcept {
    const Chord& chord = chord_at(plan_.chords, slot);
    const bool is_answer = plan_.phrase % 2 == 1;
    const auto is_root = [&] { return (step - chord.degree()) % plan_.scale.size() == 0; };
    while (is_root() != is_answer || !chord.has(step)) --step;
    return step;
  }

  Plan plan_;
  Chance shared_;
  Chance own_;
  Contour contour_;
  int range_;
  int last_;  // a step
};

}  // namespace

Melody::Melody(const Settings& settings, std::uint64_t seed)
    : scale_(settings.key, settings.mode),
      seed_(seed),
      complexity_(to_permille(settings.melody_complexity)) {}

std::vector<Note> Melody::phrase(std::int64_t phrase, std::span<const ChordSpan> chords,
                                 const Form& form) const {
  const int energy = form.energy(phrase / 2 * 2 * Form::kBarsPerPhrase);  // of the pair: both begin alike
  const Rhythm rhythm = rhythm_of(seed_, phrase, energy, complexity_);
  std::vector<int> onsets;
  for (int slot = 0; slot < kSlots; ++slot)
    if (rhythm[static_cast<std::size_t>(slot)]) onsets.push_back(slot);

  const int middle = scale_.step_at(kMiddlePitch + form.lift(Form::section_of(phrase)));
  Line line({scale_, chords, seed_, phrase, energy, complexity_, middle});
  std::vector<Note> notes;
  for (std::size_t i = 0; i < onsets.size(); ++i) {
    const bool is_last = i + 1 == onsets.size();
    const int next = is_last ? kSlots : onsets[i + 1];
    notes.push_back(line.note(onsets[i], next - onsets[i], is_last));
  }
  return notes;
}

}  // namespace ringwave::music
