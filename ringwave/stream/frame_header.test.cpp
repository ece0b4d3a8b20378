// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/frame_header.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ringwave::stream {
namespace {

std::vector<int> numbers(std::span<const std::byte> bytes) {
  std::vector<int> made;
  for (const std::byte byte : bytes) made.push_back(std::to_integer<int>(byte));
  return made;
}

TEST(FrameHeader, IsSixteenBytesLittleEndian) {
  const FrameHeader header{.codec = FrameHeader::Codec::opus,
                           .flags = 0x0201,
                           .sequence = 0x06050403,
                           .sample_time = 0x0e0d0c0b0a090807};
  EXPECT_EQ(numbers(header.bytes()), (std::vector<int>{1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}));
}

TEST(FrameHeader, ComesBackAsItWas) {
  for (const auto codec : {FrameHeader::Codec::pcm, FrameHeader::Codec::opus}) {
    const FrameHeader header{
        .codec = codec, .flags = 0xffff, .sequence = 0xfffffffe, .sample_time = ~std::uint64_t{0}};
    EXPECT_EQ(FrameHeader::parse(header.bytes()), header);
  }
}

TEST(FrameHeader, RefusesWhatItDoesNotKnow) {
  auto bytes = FrameHeader{}.bytes();
  EXPECT_FALSE(FrameHeader::parse({}));
  EXPECT_FALSE(FrameHeader::parse(std::span(bytes).first(15)));
  bytes[0] = std::byte{2};
  EXPECT_FALSE(FrameHeader::parse(bytes));
  bytes[0] = std::byte{1};
  bytes[1] = std::byte{2};
  EXPECT_FALSE(FrameHeader::parse(bytes));
}

}  // namespace
}  // namespace ringwave::stream
