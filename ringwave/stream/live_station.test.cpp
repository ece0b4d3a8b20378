// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/live_station.hpp"

#include <gtest/gtest.h>

namespace ringwave::stream {
namespace {

TEST(LiveStation, WhatHadNoRoomIsLeftOutAndTheNextSaysWhereItBegins) {
  constexpr int kFrames = 960;
  synth::Renderer renderer(
      Device::cpu(),
      {.stations = 1, .max_block_frames = kFrames, .format = synth::Renderer::Format::int16, .threads = 1});
  LiveStation station(0, renderer.spec(), 4, {});
  ASSERT_EQ(station.start(renderer), Status::ok);
  std::vector<synth::VoiceEvent> events;
  const auto play = [&](int blocks) {
    for (int i = 0; i < blocks; ++i) {
      const std::int64_t begin = renderer.clock();
      station.perform(renderer, kFrames, events);
      ASSERT_EQ(renderer.submit(events, kFrames), Status::ok);
      ASSERT_EQ(renderer.fetch(), Status::ok);
      station.hear(renderer, begin);
    }
  };
  std::vector<std::int16_t> block(2 * kFrames);
  play(7);
  const auto room = static_cast<std::int64_t>(7 - station.dropped());
  ASSERT_GE(room, 4);
  ASSERT_LT(room, 7);
  for (std::int64_t i = 0; i < room; ++i) EXPECT_EQ(station.read(block), i * kFrames);
  EXPECT_FALSE(station.read(block));
  play(1);
  EXPECT_EQ(station.read(block), 7 * kFrames);
  EXPECT_EQ(station.clock(), 8 * kFrames);
}

}  // namespace
}  // namespace ringwave::stream
