// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/detail/channel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <utility>

#include "ringwave/stream/frame_header.hpp"

namespace ringwave::stream {
namespace {

constexpr int kFrames = 960;
constexpr std::size_t kBlockSamples = 2 * kFrames;
constexpr double kLevel = 20000;

/// Two tones, one a side, whose blocks end at any place of a period.
std::vector<std::int16_t> music(int block) {
  std::vector<std::int16_t> samples(kBlockSamples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double frame = static_cast<double>(block) * kFrames + static_cast<double>(i / 2);
    const double hz = i % 2 == 0 ? 437 : 311;
    samples[i] =
        static_cast<std::int16_t>(std::lround(kLevel * std::sin(2 * std::numbers::pi * hz * frame / 48000)));
  }
  return samples;
}

/// The largest step from one frame to the next on a side.
int steepest(const std::vector<std::int16_t>& samples) {
  int most = 0;
  for (std::size_t i = 2; i < samples.size(); ++i)
    most = std::max(most, std::abs(samples[i] - samples[i - 2]));
  return most;
}

struct Played {
  std::vector<FrameHeader> headers;
  std::vector<std::int16_t> samples;
};

/// What listeners in PCM get of blocks that come `a_time` at a time.
Played play(const std::vector<int>& blocks, std::size_t a_time = 1) {
  const auto samples = std::make_shared<Broadcast>(64);
  Channel channel({.format = io::StreamFormat::pcm, .block_frames = kFrames, .history_blocks = 64},
                  std::make_unique<Listener>(Listener::Spec{.sound = samples, .news = nullptr}),
                  io::make_stream_encoder({.format = io::StreamFormat::pcm}));
  Listener listener({.sound = channel.sound(), .news = nullptr});
  EncodeSeconds seconds;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto block = music(blocks[i]);
    const auto bytes = std::as_bytes(std::span(block));
    samples->publish(
        {.sample_time = std::int64_t{blocks[i]} * kFrames, .bytes = {bytes.begin(), bytes.end()}});
    if ((i + 1) % a_time == 0) {
      EXPECT_TRUE(channel.produce(seconds));
    }
  }
  EXPECT_FALSE(channel.produce(seconds)) << "there is no more";
  Played played;
  std::array<PacketPtr, 4> taken;
  while (const std::size_t count = listener.take(taken))
    for (const PacketPtr& packet : std::span(taken).first(count)) {
      played.headers.push_back(*FrameHeader::parse(packet->bytes));
      played.samples.resize(played.samples.size() + kBlockSamples);
      std::memcpy(played.samples.data() + played.samples.size() - kBlockSamples,
                  packet->bytes.data() + FrameHeader::kBytes, 2 * kBlockSamples);
    }
  return played;
}

TEST(Channel, GivesEachBlockAsItIs) {
  for (const std::size_t a_time : {std::size_t{1}, std::size_t{3}}) {
    const Played played = play({0, 1, 2, 3, 4, 5}, a_time);
    ASSERT_EQ(played.headers.size(), 6U);
    std::vector<std::int16_t> expected;
    for (int block = 0; block < 6; ++block)
      for (const std::int16_t sample : music(block)) expected.push_back(sample);
    EXPECT_EQ(played.samples, expected);
    EXPECT_EQ(played.headers[0].flags, FrameHeader::kDiscontinuous);
    EXPECT_EQ(played.headers[5].flags, 0);
  }
}

TEST(Channel, AGapOfAnyLengthDoesNotClick) {
  const int own = steepest(music(0));
  for (const int missing : {1, 2, 22, 37}) {
    const Played played = play({0, 1, 2, 3 + missing, 4 + missing});
    ASSERT_EQ(played.headers.size(), 6U) << "one block more, for the end";
    // Cut together as they are, the blocks at some gap make a step of several times the music's own.
    EXPECT_LE(steepest(played.samples), own + 1) << missing;
    EXPECT_EQ(played.headers[3].sample_time, 3U * kFrames) << "it is where the first missing block was";
    EXPECT_EQ(played.headers[3].flags, 0);
    EXPECT_EQ(played.headers[4].sample_time, static_cast<std::uint64_t>(3 + missing) * kFrames);
    EXPECT_EQ(played.headers[4].flags, FrameHeader::kDiscontinuous);
    for (std::uint32_t i = 0; i < 6; ++i) EXPECT_EQ(played.headers[i].sequence, i);
    const auto last = std::span(played.samples).last(kBlockSamples);
    EXPECT_TRUE(std::ranges::equal(last, music(4 + missing))) << "what follows is as it was";
  }
}

TEST(Channel, WithoutFadesTheSameGapWouldClick) {
  std::vector<std::int16_t> cut;
  for (const int block : {0, 1, 2, 25, 26})
    for (const std::int16_t sample : music(block)) cut.push_back(sample);
  EXPECT_GT(steepest(cut), 5 * steepest(music(0)));
}

}  // namespace
}  // namespace ringwave::stream
