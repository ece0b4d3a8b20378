// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/composer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "ringwave/core/error.hpp"

namespace ringwave::music {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int kHourBars = 900;  // at 60 beats a minute

std::vector<Note> bars(const Composer& composer, std::int64_t first, std::int64_t count) {
  std::vector<Note> notes;
  for (std::int64_t bar = first; bar < first + count; ++bar) {
    const std::vector<Note> more = composer.bar(bar);
    notes.insert(notes.end(), more.begin(), more.end());
  }
  return notes;
}

/// As if it began at bar 0.
std::vector<Note> moved_to_the_start(std::vector<Note> notes, std::int64_t bar) {
  for (Note& note : notes) note.begin_tick -= bar * kTicksPerBar;
  return notes;
}

bool is_pitched(Layer layer) {
  return layer == Layer::pads || layer == Layer::melody || layer == Layer::bass || layer == Layer::bells;
}

std::vector<Settings> many_settings() {
  std::vector<Settings> made;
  for (const Mode mode : all_modes())
    for (const double level : {0.0, 0.5, 1.0})
      made.push_back({.key = static_cast<int>(made.size()) % 12,
                      .mode = mode,
                      .intensity = level,
                      .melody_complexity = 1 - level,
                      .progression_variety = level,
                      .harmonic_density = 1 - level});
  for (Settings& settings : std::vector(made)) {
    settings.melody_complexity = settings.harmonic_density = settings.intensity;
    made.push_back(settings);
  }
  return made;
}

TEST(Composer, ABarIsTheSameWheneverItIsAskedFor) {
  for (const Settings& settings : many_settings()) {
    const Composer composer(settings, 11);
    const std::vector<Note> late = composer.bar(1000);
    (void)bars(composer, 0, 16);
    EXPECT_EQ(composer.bar(1000), late);
    EXPECT_EQ(Composer(settings, 11).bar(1000), late);
  }
}

TEST(Composer, WritesTheSameScoreOnEveryMachine) {
  std::uint64_t digest = 0xcbf29ce484222325U;  // FNV-1a
  for (const Settings& settings : many_settings())
    for (const Note& note : bars(Composer(settings, 99), 100, 32))
      for (const std::int64_t number :
           {note.begin_tick, std::int64_t{note.length_ticks}, std::int64_t{note.pitch},
            std::int64_t{note.velocity}, static_cast<std::int64_t>(note.layer)})
        digest = (digest ^ static_cast<std::uint64_t>(number)) * 0x100000001b3U;
  EXPECT_EQ(digest, 10460755538647051564U) << "another score: a listener's seed would be another piece";
}

TEST(Composer, BarsArePartsOfTheirPhraseAndNotesLieWithinTheirBar) {
  for (const Settings& settings : many_settings()) {
    const Composer composer(settings, 5);
    for (const std::int64_t phrase : {0, 1, 7, 100}) {
      EXPECT_EQ(bars(composer, phrase * 4, 4), composer.phrase(phrase));
      for (const Note& note : composer.phrase(phrase)) {
        EXPECT_EQ(Form::phrase_of(note.begin_tick / kTicksPerBar), phrase);
        EXPECT_GT(note.length_ticks, 0);
        EXPECT_GE(note.velocity, 1);
        EXPECT_LE(note.velocity, 127);
        EXPECT_GE(note.pitch, 24);
        EXPECT_LE(note.pitch, 108);
      }
    }
  }
}

TEST(Composer, NothingIsBeforeTheBeginning) {
  const Composer composer({}, 1);
  EXPECT_TRUE(composer.bar(-1).empty());
  EXPECT_TRUE(composer.phrase(-1).empty());
  EXPECT_FALSE(composer.bar(0).empty());
}

TEST(Composer, StaysInTheKeyAndModeThatWereAskedFor) {
  for (const Settings& settings : many_settings()) {
    const Composer composer(settings, 3);
    const Scale scale(settings.key, settings.mode);
    std::map<Layer, int> inside;
    std::map<Layer, int> all;
    for (const Note& note : bars(composer, 0, 160)) {
      if (!is_pitched(note.layer)) continue;
      ++all[note.layer];
      inside[note.layer] += scale.has(note.pitch) ? 1 : 0;
    }
    for (const Layer layer : {Layer::pads, Layer::bass, Layer::bells})
      EXPECT_EQ(inside[layer], all[layer]) << to_string(layer) << " in " << to_string(settings.mode);
    ASSERT_GT(all[Layer::melody], 50);
    EXPECT_GE(inside[Layer::melody] * 100, all[Layer::melody] * 95) << to_string(settings.mode);
  }
}

TEST(Composer, ChordsChangeOnBarLinesAndPadsHoldThemUntilTheNext) {
  for (const Settings& settings : many_settings()) {
    const Composer composer(settings, 8);
    std::map<std::int64_t, std::int64_t> chords;  // begin, end
    for (const Note& note : bars(composer, 0, 64)) {
      if (note.layer != Layer::pads) continue;
      EXPECT_EQ(note.begin_tick % kTicksPerBar, 0);
      const std::int64_t end = note.begin_tick + note.length_ticks;
      EXPECT_EQ(chords.try_emplace(note.begin_tick, end).first->second, end);
    }
    std::int64_t end_before = 0;
    for (const auto& [begin, end] : chords) {
      EXPECT_EQ(begin, end_before);
      end_before = end;
    }
    EXPECT_EQ(end_before, 64 * kTicksPerBar);
  }
}

TEST(Composer, NoTwoOfTenSeedsShareAFourBarPhrase) {
  std::set<std::vector<Note>> seen;
  std::size_t count = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Composer composer({}, seed);
    for (std::int64_t phrase = 0; phrase < 50; ++phrase, ++count)
      seen.insert(moved_to_the_start(composer.phrase(phrase), phrase * Form::kBarsPerPhrase));
  }
  EXPECT_EQ(seen.size(), count);
}

TEST(Composer, AnHourDoesNotRepeat) {
  const Composer composer({}, 21);
  std::set<std::vector<Note>> phrases;
  std::set<std::vector<Note>> melodies;
  std::size_t with_melody = 0;
  for (std::int64_t phrase = 0; phrase < kHourBars / 4; ++phrase) {
    std::vector<Note> notes = moved_to_the_start(composer.phrase(phrase), phrase * Form::kBarsPerPhrase);
    phrases.insert(notes);
    std::erase_if(notes, [](const Note& note) { return note.layer != Layer::melody; });
    if (notes.empty()) continue;
    ++with_melody;
    melodies.insert(notes);
  }
  EXPECT_EQ(phrases.size(), kHourBars / 4U);
  EXPECT_EQ(melodies.size(), with_melody);
  EXPECT_GT(with_melody, 100U);
}

/// The slots of eighth notes in which a phrase's melody begins a note, in its first two bars.
std::vector<std::int64_t> opening_rhythm(const Composer& composer, std::int64_t phrase) {
  std::vector<std::int64_t> slots;
  for (const Note& note : composer.phrase(phrase))
    if (const std::int64_t slot = (note.begin_tick - phrase * 4 * kTicksPerBar) / 480;
        note.layer == Layer::melody && slot < 16)
      slots.push_back(slot);
  return slots;
}

TEST(Composer, AnswersTakeUpTheirQuestionAndEndAtRest) {
  int questions = 0;
  int open_ends = 0;
  int rests = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Composer composer({.key = 2, .mode = Mode::dorian}, seed);
    const Scale scale(2, Mode::dorian);
    const auto ends_on_root = [&](std::int64_t phrase) {
      int pitch = 0;
      for (const Note& note : composer.phrase(phrase))
        if (note.layer == Layer::melody) pitch = note.pitch;
      return (scale.step_at(pitch) - composer.chords(phrase).back().chord.degree()) % scale.size() == 0;
    };
    for (std::int64_t phrase = 0; phrase < 40; phrase += 2) {
      if (opening_rhythm(composer, phrase).empty()) continue;
      EXPECT_EQ(opening_rhythm(composer, phrase), opening_rhythm(composer, phrase + 1));
      ++questions;
      open_ends += ends_on_root(phrase) ? 0 : 1;
      rests += ends_on_root(phrase + 1) ? 1 : 0;
    }
  }
  EXPECT_GT(questions, 100);
  EXPECT_EQ(open_ends, questions);
  EXPECT_EQ(rests, questions);
}

TEST(Composer, PadsMoveByLittleFromChordToChord) {
  for (const Mode mode : all_modes()) {
    const Composer composer({.key = 7, .mode = mode, .harmonic_density = 0.7}, 4);
    std::map<std::int64_t, std::vector<int>> chords;
    for (const Note& note : bars(composer, 0, 400))
      if (note.layer == Layer::pads) chords[note.begin_tick].push_back(note.pitch);
    double moved = 0;
    int voices = 0;
    const std::vector<int>* before = nullptr;
    for (const auto& [tick, chord] : chords) {
      if (before != nullptr)
        for (const int pitch : chord) {
          int nearest = 100;
          for (const int other : *before) nearest = std::min(nearest, std::abs(pitch - other));
          EXPECT_LE(nearest, 9);
          moved += nearest;
          ++voices;
        }
      before = &chord;
    }
    EXPECT_LT(moved / voices, 2.0) << "semitones a voice in " << to_string(mode);
  }
}

TEST(Composer, SectionsDiffer) {
  const Composer composer({}, 2);
  std::set<std::size_t> counts;
  for (std::int64_t section = 0; section < 20; ++section)
    counts.insert(bars(composer, section * 16, 16).size());
  EXPECT_GT(counts.size(), 12U);
}

TEST(Composer, MoreIntensityIsMoreAndLouder) {
  double notes_before = 0;
  double velocity_before = 0;
  for (const double intensity : {0.0, 0.3, 0.6, 1.0}) {
    const auto notes = bars(Composer({.intensity = intensity}, 6), 0, 320);
    double velocity = 0;
    for (const Note& note : notes)
      if (note.layer == Layer::pads) velocity = std::max<double>(velocity, note.velocity);
    EXPECT_GT(static_cast<double>(notes.size()), notes_before);
    EXPECT_GT(velocity, velocity_before);
    notes_before = static_cast<double>(notes.size());
    velocity_before = velocity;
  }
}

TEST(Composer, LayersThatAreOffAreSilentAndTheOthersPlayOnAlike) {
  const Composer all({}, 9);
  for (const Layer off : kAllLayers) {
    Settings settings;
    settings.layers.set(off, false);
    if (off == Layer::pads) continue;  // without pads the melody rests no more
    std::vector<Note> expected = bars(all, 0, 64);
    std::erase_if(expected, [off](const Note& note) { return note.layer == off; });
    EXPECT_EQ(bars(Composer(settings, 9), 0, 64), expected) << to_string(off);
  }
  Settings nothing;
  nothing.layers = {};
  EXPECT_TRUE(bars(Composer(nothing, 9), 0, 64).empty());
}

TEST(Composer, WithoutPadsSomethingPitchedPlaysInEveryPhrase) {
  Settings settings;
  settings.layers = {Layer::melody};
  const Composer composer(settings, 12);
  for (std::int64_t phrase = 0; phrase < 200; ++phrase)
    EXPECT_FALSE(composer.phrase(phrase).empty()) << phrase;
}

TEST(Composer, RefusesSettingsOutOfRange) {
  const auto refuses = [](Settings settings, const char* text) {
    EXPECT_THAT([&] { (void)Composer(settings, 0); }, ThrowsMessage<InvalidArgument>(HasSubstr(text)));
  };
  refuses({.key = 12}, "key is 12; use 0 to 11");
  refuses({.bpm = 39.5}, "bpm is 39.5; use 40 to 120");
  refuses({.bpm = std::numeric_limits<double>::quiet_NaN()}, "bpm is nan");
  refuses({.intensity = 1.01}, "intensity is 1.01; use 0 to 1");
  refuses({.melody_complexity = -0.1}, "melody_complexity is -0.1");
  refuses({.progression_variety = 2}, "progression_variety is 2");
  refuses({.harmonic_density = 9}, "harmonic_density is 9");
}

}  // namespace
}  // namespace ringwave::music
