// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/playback_ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave::io {
namespace {

/// first, first + 1, … on the left, and their negatives on the right.
std::vector<float> ramp(int first, int frames) {
  std::vector<float> planes(std::size_t{2} * static_cast<std::size_t>(frames));
  for (int i = 0; i < frames; ++i) {
    planes[static_cast<std::size_t>(i)] = static_cast<float>(first + i);
    planes[static_cast<std::size_t>(frames + i)] = -static_cast<float>(first + i);
  }
  return planes;
}

int write(PlaybackRing& ring, int first, int frames) {
  const std::vector<float> planes = ramp(first, frames);
  return ring.write(BlockView<const float>(planes.data(), 2, frames));
}

struct Block {
  std::vector<float> left, right;
};

Block play(PlaybackRing& ring, std::size_t frames) {
  Block block{std::vector<float>(frames, 99.0F), std::vector<float>(frames, 99.0F)};
  ring.play(block.left, block.right);
  return block;
}

TEST(PlaybackRing, GivesSilenceUntilItBeginsAndTakesNothing) {
  PlaybackRing ring(8);
  EXPECT_EQ(write(ring, 1, 4), 4);
  EXPECT_EQ(play(ring, 2).left, (std::vector<float>{0, 0}));
  ring.begin();
  const Block block = play(ring, 4);
  EXPECT_EQ(block.left, (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(block.right, (std::vector<float>{-1, -2, -3, -4}));
  EXPECT_EQ(ring.played_frames(), 4);
  EXPECT_EQ(ring.underruns(), 0);
}

TEST(PlaybackRing, WhatIsLateIsSilenceAndCountedAndNotLost) {
  PlaybackRing ring(8);
  ring.begin();
  write(ring, 1, 2);
  EXPECT_EQ(play(ring, 3).left, (std::vector<float>{1, 2, 0}));
  EXPECT_EQ(ring.underruns(), 1);
  write(ring, 3, 3);
  EXPECT_EQ(play(ring, 3).right, (std::vector<float>{-3, -4, -5}));
  EXPECT_EQ(ring.underruns(), 1);
}

TEST(PlaybackRing, TheEndIsNoUnderrunAndIsOverAfterABlockOfSilence) {
  PlaybackRing ring(8);
  ring.begin();
  write(ring, 1, 3);
  EXPECT_FALSE(ring.is_filled());
  ring.finish();
  EXPECT_TRUE(ring.is_filled());
  EXPECT_EQ(play(ring, 4).left, (std::vector<float>{1, 2, 3, 0}));
  EXPECT_FALSE(ring.is_over());
  EXPECT_EQ(play(ring, 4).left, (std::vector<float>{0, 0, 0, 0}));
  EXPECT_TRUE(ring.is_over());
  EXPECT_EQ(ring.underruns(), 0);
  EXPECT_EQ(ring.played_frames(), 3);
}

TEST(PlaybackRing, IsAheadByTheLeadOrTwoBlocksOfThePlayer) {
  PlaybackRing ring(100);
  EXPECT_EQ(write(ring, 0, 300), 100);
  EXPECT_EQ(write(ring, 0, 300), 0);
  EXPECT_TRUE(ring.is_filled());
  play(ring, 120);
  EXPECT_FALSE(ring.is_filled());
  EXPECT_EQ(write(ring, 100, 300), 140);
  play(ring, PlaybackRing::kLargestBlock);
  EXPECT_EQ(write(ring, 240, 20000), 2 * PlaybackRing::kLargestBlock - 240);
}

TEST(PlaybackRing, FramesKeepTheirOrderBetweenTwoThreads) {
  constexpr int kFrames = 200'000;
  PlaybackRing ring(1000);
  ring.begin();
  std::thread writer([&ring] {
    for (int at = 0; at < kFrames; at += write(ring, at, std::min(480, kFrames - at)))
      std::this_thread::yield();
    ring.finish();
  });
  float expected = 0;
  int wrong = 0;
  while (!ring.is_over()) {
    const std::int64_t before = ring.played_frames();
    const Block block = play(ring, 128);
    const auto count = static_cast<std::size_t>(ring.played_frames() - before);
    for (std::size_t i = 0; i < count; ++i, ++expected)
      wrong += block.left[i] != expected || block.right[i] != -expected ? 1 : 0;
  }
  writer.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(ring.played_frames(), kFrames);
}

TEST(PlaybackRing, NeedsALead) {
  EXPECT_THROW(PlaybackRing(0), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::io
