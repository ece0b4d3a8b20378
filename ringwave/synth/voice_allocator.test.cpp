// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/voice_allocator.hpp"

#include <gtest/gtest.h>

#include <random>

#include "ringwave/core/error.hpp"

namespace ringwave::synth {
namespace {

using Span = VoiceAllocator::Span;

TEST(VoiceAllocator, GivesEveryNoteAVoiceOfItsOwnUntilItHasRungOut) {
  VoiceAllocator allocator({.voices = 3, .spares = 0});
  const auto a = allocator.begin({0, 100, 50});
  const auto b = allocator.begin({0, 1000, 50});
  const auto c = allocator.begin({120, 1000, 50});
  ASSERT_TRUE(a && b && c);
  EXPECT_NE(a->voice, b->voice);
  EXPECT_NE(a->voice, c->voice) << "it still rings";
  EXPECT_EQ(allocator.sounding(120), 3);
  const auto d = allocator.begin({150, 1000, 50});
  EXPECT_EQ(d->voice, a->voice) << "it has rung out";
  EXPECT_EQ(d->faded, -1);
  EXPECT_EQ(allocator.stolen_notes(), 0U);
}

TEST(VoiceAllocator, FadesWhatIsFurthestOnItsWayOut) {
  VoiceAllocator allocator({.voices = 3, .spares = 2, .fade_frames = 10});
  const auto held = allocator.begin({0, 9000, 500});
  const auto late = allocator.begin({1, 100, 900});
  const auto early = allocator.begin({2, 90, 600});
  EXPECT_EQ(allocator.begin({200, 9000, 500})->faded, early->voice) << "let go, and silent first";
  EXPECT_EQ(allocator.begin({201, 9000, 500})->faded, late->voice) << "let go";
  EXPECT_FALSE(allocator.begin({202, 9000, 500}).has_value()) << "both spares still fade";
  EXPECT_EQ(allocator.begin({211, 9000, 500})->faded, held->voice) << "held, and the oldest";
  EXPECT_EQ(allocator.stolen_notes(), 3U);
  EXPECT_EQ(allocator.dropped_notes(), 1U);
}

TEST(VoiceAllocator, NeverHasMoreVoicesThanItMay) {
  std::mt19937 random(1);
  const auto below = [&random](int count) {
    return std::uniform_int_distribution<std::int64_t>(0, count - 1)(random);
  };
  VoiceAllocator allocator({.voices = 8, .spares = 3, .fade_frames = 240});
  std::vector<std::int64_t> busy_until(11, 0);
  std::int64_t frame = 0;
  for (int i = 0; i < 20'000; ++i) {
    frame += below(400);
    const Span note{frame, frame + 1 + below(5000), below(20000)};
    const auto choice = allocator.begin(note);
    ASSERT_LE(allocator.sounding(frame), 11);
    if (!choice) continue;
    const auto voice = static_cast<std::size_t>(choice->voice);
    ASSERT_LE(busy_until[voice], frame) << "a voice that sounds was given away";
    ASSERT_NE(choice->voice, choice->faded);
    busy_until[voice] = note.end_frame + note.tail_frames;
    if (choice->faded >= 0) busy_until[static_cast<std::size_t>(choice->faded)] = frame + 240;
  }
  EXPECT_GT(allocator.stolen_notes(), 1000U);
}

TEST(VoiceAllocator, NotesWithoutLengthAreNotesToo) {
  VoiceAllocator allocator({.voices = 1, .spares = 0});
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(allocator.begin({5, 5, 0}).has_value());
  EXPECT_EQ(allocator.sounding(5), 0);
}

TEST(VoiceAllocator, RefusesShapesThatCannotPlay) {
  EXPECT_THROW(VoiceAllocator({.voices = 0}), InvalidArgument);
  EXPECT_THROW(VoiceAllocator({.spares = -1}), InvalidArgument);
  EXPECT_THROW(VoiceAllocator({.fade_frames = -1}), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::synth
