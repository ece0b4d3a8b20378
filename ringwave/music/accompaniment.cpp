// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/accompaniment.hpp"

#include "ringwave/music/chance.hpp"
#include "ringwave/music/voicing.hpp"

namespace ringwave::music {
namespace {

constexpr int kPadMiddle = 60;
constexpr int kLowestBass = 33;  // A1: below it small speakers are silent
constexpr int kLowestBell = 79;

std::int64_t tick_of(std::int64_t phrase, int bar) noexcept {
  return (phrase * Form::kBarsPerPhrase + bar) * kTicksPerBar;
}

/// The lowest pitch from `least` on that is `pitch` in some octave.
int octave_from(int pitch, int least) noexcept {
  return least + ((pitch - least) % 12 + 12) % 12;
}

}  // namespace

Accompaniment::Accompaniment(const Settings& settings, std::uint64_t seed)
    : scale_(settings.key, settings.mode), seed_(seed) {}

std::vector<Note> Accompaniment::pads(std::int64_t phrase, std::span<const ChordSpan> chords,
                                      const Form& form) const {
  std::vector<Note> notes;
  std::vector<int> before;
  const int middle = kPadMiddle + form.lift(Form::section_of(phrase)) / 2;
  for (const ChordSpan& span : chords) {
    const int energy = form.energy(phrase * Form::kBarsPerPhrase + span.first_bar);
    before = voiced(scale_, span.chord, middle, before);
    Chance chance(seed_, Chance::For::voicing, ~(phrase * Form::kBarsPerPhrase + span.first_bar));
    for (const int pitch : before)
      notes.push_back(make_note(Layer::pads, tick_of(phrase, span.first_bar), span.bars * kTicksPerBar, pitch,
                                46 + energy * 30 / 1000 + chance.between(-5, 5)));
  }
  return notes;
}

std::vector<Note> Accompaniment::bass(std::int64_t phrase, std::span<const ChordSpan> chords,
                                      const Form& form) const {
  std::vector<Note> notes;
  for (const ChordSpan& span : chords) {
    const int root = octave_from(scale_.pitch(span.chord.degree()), kLowestBass);
    const int fifth = octave_from(scale_.pitch(span.chord.steps()[2]), root);
    for (int bar = span.first_bar; bar < span.first_bar + span.bars; ++bar) {
      const std::int64_t number = phrase * Form::kBarsPerPhrase + bar;
      const int energy = form.energy(number);
      Chance chance(seed_, Chance::For::bass, number);
      const int velocity = 56 + energy * 30 / 1000 + chance.between(-4, 4);
      const bool moves = chance.happens(energy * 7 / 10);
      const bool picks_up = chance.happens(energy / 3);
      const bool begins = bar == span.first_bar;
      if (!moves && !begins) continue;  // the root still rings
      const int beats = moves ? 2 : kBeatsPerBar * (span.first_bar + span.bars - bar);
      notes.push_back(
          make_note(Layer::bass, tick_of(phrase, bar), beats * kTicksPerBeat * 95 / 100, root, velocity));
      if (!moves) continue;
      const int second = chance.happens(350) ? fifth : root;
      const int second_ticks = picks_up ? kTicksPerBeat * 3 / 2 : 2 * kTicksPerBeat;
      notes.push_back(make_note(Layer::bass, tick_of(phrase, bar) + 2 * kTicksPerBeat,
                                second_ticks * 95 / 100, second, velocity - 8));
      if (picks_up)
        notes.push_back(make_note(Layer::bass, tick_of(phrase, bar) + 7 * kTicksPerBeat / 2,
                                  kTicksPerBeat / 2, root, velocity - 12));
    }
  }
  return notes;
}

std::vector<Note> Accompaniment::bells(std::int64_t phrase, std::span<const ChordSpan> chords,
                                       const Form& form) const {
  constexpr int kSlotTicks = kTicksPerBeat / 2;
  std::vector<Note> notes;
  for (const ChordSpan& span : chords)
    for (int bar = span.first_bar; bar < span.first_bar + span.bars; ++bar) {
      const std::int64_t number = phrase * Form::kBarsPerPhrase + bar;
      const int energy = form.energy(number);
      Chance chance(seed_, Chance::For::bells, number);
      for (int slot = 0; slot < 8; ++slot) {
        if (!chance.happens(60 + energy * 12 / 100)) continue;
        const auto tone = static_cast<std::size_t>(chance.below(static_cast<int>(span.chord.steps().size())));
        const int pitch =
            octave_from(scale_.pitch(span.chord.steps()[tone]), kLowestBell) + 12 * chance.below(2);
        const int late = chance.below(13);  // a throw a line: the order of arguments is the compiler's
        const int velocity = 34 + energy * 24 / 1000 + chance.between(-8, 8);
        notes.push_back(make_note(Layer::bells, tick_of(phrase, bar) + slot * kSlotTicks + late,
                                  2 * kTicksPerBeat, pitch, velocity));
      }
    }
  return notes;
}

}  // namespace ringwave::music
