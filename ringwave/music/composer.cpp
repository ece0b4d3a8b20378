// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/composer.hpp"

#include <algorithm>

namespace ringwave::music {
namespace {

const Settings& checked(const Settings& settings) {
  require_valid(settings);
  return settings;
}

}  // namespace

Composer::Composer(const Settings& settings, std::uint64_t seed)
    : settings_(checked(settings)),
      seed_(seed),
      form_(settings, seed),
      progression_(settings, seed),
      melody_(settings, seed),
      accompaniment_(settings, seed),
      percussion_(seed) {}

std::vector<Note> Composer::phrase(std::int64_t phrase) const {
  std::vector<Note> notes;
  if (phrase < 0) return notes;
  const std::vector<ChordSpan> chords = progression_.phrase(phrase);
  const auto add = [&](Layer layer, auto make) {
    if (!form_.plays(layer, phrase)) return;
    const std::vector<Note> made = make();
    notes.insert(notes.end(), made.begin(), made.end());
  };
  add(Layer::pads, [&] { return accompaniment_.pads(phrase, chords, form_); });
  add(Layer::melody, [&] { return melody_.phrase(phrase, chords, form_); });
  add(Layer::bass, [&] { return accompaniment_.bass(phrase, chords, form_); });
  add(Layer::bells, [&] { return accompaniment_.bells(phrase, chords, form_); });
  add(Layer::kicks, [&] { return percussion_.kicks(phrase, form_); });
  add(Layer::swells, [&] { return percussion_.swells(phrase, form_); });
  add(Layer::hats, [&] { return percussion_.hats(phrase, form_); });
  std::ranges::sort(notes);
  return notes;
}

std::vector<Note> Composer::bar(std::int64_t number) const {
  if (number < 0) return {};
  std::vector<Note> notes = phrase(Form::phrase_of(number));
  std::erase_if(notes, [number](const Note& note) { return note.begin_tick / kTicksPerBar != number; });
  return notes;
}

}  // namespace ringwave::music
