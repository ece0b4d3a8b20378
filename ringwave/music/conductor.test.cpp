// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/conductor.hpp"

#include <gtest/gtest.h>

#include "ringwave/core/error.hpp"

namespace ringwave::music {
namespace {

TEST(Conductor, PlaysTheComposersNotesInTime) {
  Conductor conductor({.bpm = 60}, 3, 48000);
  const Composer composer({.bpm = 60}, 3);
  for (std::int64_t phrase = 0; phrase < 10; ++phrase) {
    EXPECT_EQ(conductor.next_frame(), phrase * 16 * 48000);
    const std::vector<Note> notes = composer.phrase(phrase);
    const std::vector<TimedNote> timed = conductor.next_phrase();
    ASSERT_EQ(timed.size(), notes.size());
    for (std::size_t i = 0; i < notes.size(); ++i) {
      EXPECT_EQ(timed[i].note, notes[i]);
      EXPECT_EQ(timed[i].begin_frame, notes[i].begin_tick * 50);  // a beat is a second
      EXPECT_EQ(timed[i].end_frame, (notes[i].begin_tick + notes[i].length_ticks) * 50);
    }
  }
}

TEST(Conductor, NewSettingsComeWithTheNextPhraseAndTheLastOnesCount) {
  Conductor conductor({.bpm = 60}, 3, 48000);
  (void)conductor.next_phrase();
  conductor.change({.key = 5, .bpm = 40});
  conductor.change({.key = 7, .bpm = 120});
  EXPECT_EQ(conductor.next_frame(), 16 * 48000);
  const std::vector<TimedNote> timed = conductor.next_phrase();
  const std::vector<Note> notes = Composer({.key = 7, .bpm = 120}, 3).phrase(1);
  ASSERT_EQ(timed.size(), notes.size());
  EXPECT_EQ(timed.front().note, notes.front());
  EXPECT_EQ(conductor.next_frame(), 16 * 48000 + 8 * 48000);
}

TEST(Conductor, BordersMeetAtEveryTempoAndRate) {
  for (const int rate : {44100, 48000, 96000})
    for (const double bpm : {40.0, 61.7, 97.3, 120.0}) {
      Conductor conductor({.bpm = bpm}, 1, rate);
      for (int phrase = 0; phrase < 100; ++phrase) {
        const std::int64_t begin = conductor.next_frame();
        for (const TimedNote& note : conductor.next_phrase()) {
          EXPECT_GE(note.begin_frame, begin);
          EXPECT_LT(note.begin_frame, conductor.next_frame());
          EXPECT_GT(note.end_frame, note.begin_frame);
        }
        // A phrase is off by half a frame at most.
        EXPECT_NEAR(static_cast<double>(conductor.next_frame() - begin), 16 * 60 * rate / bpm, 0.5);
      }
    }
}

TEST(Conductor, GoesOnFromAPlace) {
  Conductor whole({.bpm = 50}, 3, 48000);
  for (int i = 0; i < 5; ++i) (void)whole.next_phrase();
  Conductor late({.bpm = 50}, 3, 48000, {.phrase = 5, .frame = whole.next_frame()});
  for (int i = 0; i < 3; ++i) {
    const std::vector<TimedNote> expected = whole.next_phrase();
    const std::vector<TimedNote> notes = late.next_phrase();
    ASSERT_EQ(notes.size(), expected.size());
    for (std::size_t n = 0; n < notes.size(); ++n) {
      EXPECT_EQ(notes[n].begin_frame, expected[n].begin_frame);
      EXPECT_EQ(notes[n].note, expected[n].note);
    }
  }
  EXPECT_EQ(late.next_phrase_number(), 8);
}

TEST(Conductor, RefusesWhatCannotPlay) {
  EXPECT_THROW(Conductor({}, 1, 48000, {.phrase = -1}), InvalidArgument);

  EXPECT_THROW((void)Conductor({}, 1, 0), InvalidArgument);
  EXPECT_THROW((void)Conductor({.bpm = 1}, 1, 48000), InvalidArgument);
  Conductor conductor({}, 1, 48000);
  EXPECT_THROW(conductor.change({.intensity = 3}), InvalidArgument);
  EXPECT_EQ(conductor.settings(), Settings{}) << "what plays goes on";
}

}  // namespace
}  // namespace ringwave::music
