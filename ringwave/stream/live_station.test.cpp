// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/live_station.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace ringwave::stream {
namespace {

constexpr int kFrames = 960;
constexpr int kRingBlocks = 8;

class LiveStationTest : public testing::Test {
 protected:
  LiveStationTest() { EXPECT_EQ(station_.start(renderer_), Status::ok); }

  void play(int blocks) {
    std::vector<synth::VoiceEvent> events;
    for (int i = 0; i < blocks; ++i) {
      const std::int64_t begin = renderer_.clock();
      station_.perform(renderer_, kFrames, events);
      ASSERT_EQ(renderer_.submit(events, kFrames), Status::ok);
      ASSERT_EQ(renderer_.fetch(), Status::ok);
      station_.hear(renderer_, begin);
    }
  }
  std::optional<std::int64_t> read() { return station_.read(block_); }

  synth::Renderer renderer_{
      Device::cpu(),
      {.stations = 1, .max_block_frames = kFrames, .format = synth::Renderer::Format::int16, .threads = 1}};
  LiveStation station_{0, renderer_.spec(), kRingBlocks, {}};
  std::vector<std::int16_t> block_ = std::vector<std::int16_t>(2 * kFrames);
};

TEST_F(LiveStationTest, WhatHadNoRoomIsLeftOutAndTheNextSaysWhereItBegins) {
  play(11);
  const auto room = static_cast<std::int64_t>(11 - station_.dropped());
  ASSERT_GE(room, kRingBlocks);
  ASSERT_LT(room, 11);
  for (std::int64_t i = 0; i < room; ++i) EXPECT_EQ(read(), i * kFrames);
  EXPECT_FALSE(read());
  play(1);
  EXPECT_EQ(read(), 11 * kFrames);
  EXPECT_EQ(station_.clock(), 12 * kFrames);
}

TEST_F(LiveStationTest, WhereThereIsTooLittleRoomForLongThereIsOneGap) {
  play(11);
  int gaps = 0;
  std::int64_t next = 0;
  for (int i = 0; i < kRingBlocks; ++i) {  // it is read as fast as it is played
    const auto begin = read();
    ASSERT_TRUE(begin);
    if (*begin != next) ++gaps;
    next = *begin + kFrames;
    play(1);
  }
  while (const auto begin = read()) {
    if (*begin != next) ++gaps;
    next = *begin + kFrames;
  }
  EXPECT_EQ(gaps, 1);
}

}  // namespace
}  // namespace ringwave::stream
