// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/replay.hpp"

#include <gtest/gtest.h>

#include "ringwave/core/error.hpp"

namespace ringwave::stream {
namespace {

constexpr int kRate = 48000;
constexpr std::int64_t kPhraseFrames = 16 * kRate;  // four bars at a beat a second

std::vector<Phrase> three_phrases() {
  return {{0, 0, kPhraseFrames, {.bpm = 60}},
          {1, kPhraseFrames, 2 * kPhraseFrames, {.key = 5, .bpm = 60}},
          {2, 2 * kPhraseFrames, 3 * kPhraseFrames, {.bpm = 60}}};
}

TEST(Replay, PlaysEachPhraseWithTheSettingsThatItHad) {
  Replay replay(three_phrases(), 7, kRate, 0);
  music::Conductor conductor({.bpm = 60}, 7, kRate);
  std::vector<synth::Performer::Note> expected = synth::notes_of(conductor.next_phrase());
  conductor.change({.key = 5, .bpm = 60});
  for (const auto& note : synth::notes_of(conductor.next_phrase())) expected.push_back(note);
  const auto notes = replay.notes_until(2 * kPhraseFrames);
  ASSERT_EQ(notes.size(), expected.size());
  for (std::size_t i = 0; i < notes.size(); ++i) {
    EXPECT_EQ(notes[i].played.begin_frame, expected[i].begin_frame);
    EXPECT_EQ(notes[i].played.key, expected[i].key);
  }
}

TEST(Replay, BeginsInTheMiddleWithWhatIsHeldThere) {
  const std::int64_t from = kPhraseFrames + 5 * kRate;
  Replay replay(three_phrases(), 7, kRate, from);
  Replay whole(three_phrases(), 7, kRate, 0);
  std::size_t expected = 0;
  for (const auto& note : whole.notes_until(2 * kPhraseFrames))
    if (note.played.begin_frame >= kPhraseFrames &&
        (note.played.begin_frame >= from || note.played.end_frame > from))
      ++expected;
  const auto notes = replay.notes_until(2 * kPhraseFrames - from);
  EXPECT_EQ(notes.size(), expected);
  std::int64_t last = 0;
  for (const auto& note : notes) {
    EXPECT_GE(note.played.begin_frame, last) << "in the order of time";
    EXPECT_GT(note.played.end_frame, 0);
    last = note.played.begin_frame;
  }
}

TEST(Replay, GoesOnBeyondWhatWasPlayedAndBeginsAgain) {
  Replay replay(three_phrases(), 7, kRate, 0);
  const auto first = replay.notes_until(5 * kPhraseFrames);
  EXPECT_GT(first.back().played.begin_frame, 4 * kPhraseFrames);
  const auto again = replay.again()->notes_until(5 * kPhraseFrames);
  ASSERT_EQ(again.size(), first.size());
  EXPECT_EQ(again.back().played.begin_frame, first.back().played.begin_frame);
}

TEST(Replay, NeedsSomething) {
  EXPECT_THROW(Replay({}, 7, kRate, 0), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::stream
