// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/detail/station_channels.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace ringwave::stream {
namespace {

using io::StreamFormat;

StationChannels::ChannelPtr channel() {
  const auto samples = std::make_shared<Broadcast>(4);
  return std::make_shared<Channel>(
      Channel::Spec{.format = StreamFormat::pcm, .block_frames = 960, .history_blocks = 4},
      std::make_unique<Listener>(Listener::Spec{.sound = samples, .news = nullptr}),
      io::make_stream_encoder({.format = StreamFormat::pcm}));
}

TEST(StationChannels, AChannelIsThereWhileItIsHeard) {
  StationChannels channels(0);
  EXPECT_TRUE(channels.lonely_since());
  const auto first = channels.join(StreamFormat::pcm, channel);
  EXPECT_EQ(channels.join(StreamFormat::pcm, channel), first);
  EXPECT_NE(channels.join(StreamFormat::wav, channel), first);
  EXPECT_EQ(channels.listeners(), 3);
  EXPECT_FALSE(channels.lonely_since());
  channels.leave(StreamFormat::pcm);
  EXPECT_EQ(channels.channels()[0], first);
  channels.leave(StreamFormat::pcm);
  EXPECT_EQ(channels.channels()[0], nullptr);
  channels.leave(StreamFormat::wav);
  EXPECT_TRUE(channels.lonely_since());
}

TEST(StationChannels, OfTwoWhoMakeAChannelAtATimeBothTakeTheFirst) {
  StationChannels channels(0);
  StationChannels::ChannelPtr first;
  const auto second = channels.join(StreamFormat::pcm, [&] {
    first = channels.join(StreamFormat::pcm, channel);
    return channel();
  });
  EXPECT_EQ(second, first);
  EXPECT_EQ(channels.listeners(), 2);
}

}  // namespace
}  // namespace ringwave::stream
