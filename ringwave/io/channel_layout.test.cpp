// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/channel_layout.hpp"

#include <gtest/gtest.h>

#include <bit>

namespace ringwave::io {
namespace {

TEST(ChannelLayout, EveryCountHasAsManySpeakers) {
  for (int channels = 1; channels <= 8; ++channels)
    EXPECT_EQ(std::popcount(usual_speakers(channels)), channels);
  EXPECT_EQ(usual_speakers(9), 0U);
  EXPECT_EQ(usual_speakers(-1), 0U);
}

TEST(ChannelLayout, SideMayStandForBack) {
  EXPECT_TRUE(are_usual(0x3f, 6));
  EXPECT_TRUE(are_usual(0x60f, 6)) << "5.1 with its surround at the side";
  EXPECT_FALSE(are_usual(0x10f, 5)) << "4.1";
  EXPECT_FALSE(are_usual(0xf, 4)) << "3.1 is not quadraphonic";
}

TEST(ChannelLayout, VorbisHasLeftCentreRight) {
  std::vector<float> frame{1, 2, 3, 4, 5, 6};  // FL FR FC LFE BL BR
  to_stream(vorbis_order(6), frame);
  EXPECT_EQ(frame, (std::vector<float>{1, 3, 2, 5, 6, 4}));  // FL FC FR BL BR LFE
  from_stream(vorbis_order(6), frame);
  EXPECT_EQ(frame, (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(ChannelLayout, ThereAndBackIsNoChange) {
  for (int channels = 1; channels <= 10; ++channels) {
    std::vector<float> frames;
    for (int n = 0; n < 3 * channels; ++n) frames.push_back(static_cast<float>(n));
    const auto before = frames;
    to_stream(vorbis_order(channels), frames);
    from_stream(vorbis_order(channels), frames);
    EXPECT_EQ(frames, before) << channels;
  }
}

TEST(ChannelLayout, AnyOrderIsPutRight) {
  const std::vector<Speakers> centre_first{0x4, 0x1, 0x2, 0x200, 0x400, 0x8};  // as AAC and some AIFF have it
  std::vector<float> frame{3, 1, 2, 5, 6, 4};
  from_stream(order_of(centre_first).value(), frame);
  EXPECT_EQ(frame, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_FALSE(order_of(std::vector<Speakers>{1, 1}).has_value());
  EXPECT_FALSE(order_of(std::vector<Speakers>{1, 0}).has_value());
  EXPECT_TRUE(order_of(std::vector<Speakers>{1, 2}).value().empty()) << "ours already";
}

}  // namespace
}  // namespace ringwave::io
