// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/wav_header.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace ringwave::io {
namespace {

std::string text(const std::vector<std::byte>& bytes, std::size_t at) {
  return {reinterpret_cast<const char*>(bytes.data()) + at, 4};
}

template <class Integer>
Integer integer(const std::vector<std::byte>& bytes, std::size_t at) {
  Integer value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

TEST(WavHeader, IsPlainWaveBelowFourGibibytes) {
  const auto bytes = WavHeader{.channels = 2, .sample_rate_hz = 44100, .bits = 16, .frames = 1000}.bytes();
  ASSERT_EQ(bytes.size(), 44U);
  EXPECT_EQ(text(bytes, 0), "RIFF");
  EXPECT_EQ(integer<std::uint32_t>(bytes, 4), 44U - 8 + 4000);
  EXPECT_EQ(text(bytes, 8), "WAVE");
  EXPECT_EQ(text(bytes, 12), "fmt ");
  EXPECT_EQ(integer<std::uint16_t>(bytes, 20), 1) << "PCM";
  EXPECT_EQ(integer<std::uint16_t>(bytes, 22), 2);
  EXPECT_EQ(integer<std::uint32_t>(bytes, 24), 44100U);
  EXPECT_EQ(integer<std::uint32_t>(bytes, 28), 44100U * 4);
  EXPECT_EQ(integer<std::uint16_t>(bytes, 32), 4);
  EXPECT_EQ(integer<std::uint16_t>(bytes, 34), 16);
  EXPECT_EQ(text(bytes, 36), "data");
  EXPECT_EQ(integer<std::uint32_t>(bytes, 40), 4000U);
}

TEST(WavHeader, WhatMayGrowHasItsFormatFirstAndKeepsRoomBeforeTheSamples) {
  const auto bytes = WavHeader{.channels = 2, .sample_rate_hz = 44100, .may_grow = true}.bytes();
  ASSERT_EQ(bytes.size(), 80U);
  EXPECT_EQ(text(bytes, 12), "fmt ");
  EXPECT_EQ(text(bytes, 36), "JUNK");
  EXPECT_EQ(text(bytes, 72), "data");
  EXPECT_EQ(integer<std::uint32_t>(bytes, 4), 0xffffffffU);
  EXPECT_EQ(integer<std::uint32_t>(bytes, 76), 0xffffffffU);
}

TEST(WavHeader, IsRf64FromFourGibibytesOn) {
  constexpr std::int64_t kFrames = 5'000'000'000;
  const auto bytes =
      WavHeader{.channels = 2, .sample_rate_hz = 48000, .bits = 16, .frames = kFrames, .may_grow = true}
          .bytes();
  EXPECT_EQ(text(bytes, 0), "RF64");
  EXPECT_EQ(integer<std::uint32_t>(bytes, 4), 0xffffffffU);
  EXPECT_EQ(text(bytes, 12), "ds64");
  EXPECT_EQ(integer<std::uint64_t>(bytes, 20), 4U * kFrames + 72);
  EXPECT_EQ(integer<std::uint64_t>(bytes, 28), 4U * kFrames);
  EXPECT_EQ(integer<std::uint64_t>(bytes, 36), 1U * kFrames);
  EXPECT_EQ(text(bytes, 48), "fmt ");
  EXPECT_EQ(integer<std::uint32_t>(bytes, 76), 0xffffffffU);
}

TEST(WavHeader, WithoutRoomWhatIsTooLargeGoesToTheEnd) {
  const auto bytes = WavHeader{.channels = 2, .frames = 5'000'000'000}.bytes();
  EXPECT_EQ(text(bytes, 0), "RIFF");
  EXPECT_EQ(integer<std::uint32_t>(bytes, 4), 0xffffffffU);
  EXPECT_EQ(integer<std::uint32_t>(bytes, 40), 0xffffffffU);
}

TEST(WavHeader, ChangesItsKindAtTheLastByteThatFits) {
  const auto kind = [](std::int64_t frames) {
    return text(
        WavHeader{.channels = 1, .sample_rate_hz = 8000, .bits = 16, .frames = frames, .may_grow = true}
            .bytes(),
        0);
  };
  constexpr std::int64_t kMost = (0xfffffffeLL - 72) / 2;  // the size 2^32 - 1 means that there is none
  EXPECT_EQ(kind(kMost), "RIFF");
  EXPECT_EQ(kind(kMost + 1), "RF64");
}

TEST(WavHeader, IsAsLongWhateverTheLength) {
  for (const int channels : {1, 2, 6})
    for (const int bits : {16, 24, 32}) {
      WavHeader header{.channels = channels,
                       .sample_rate_hz = 48000,
                       .bits = bits,
                       .frames = {},
                       .chunks = std::vector<std::byte>(10),
                       .may_grow = true};
      const std::size_t unknown = header.bytes().size();
      for (const std::int64_t frames : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1} << 40}) {
        header.frames = frames;
        EXPECT_EQ(header.bytes().size(), unknown);
      }
    }
}

TEST(WavHeader, SaysItsSpeakersAndHasItsChunksBeforeTheSamples) {
  const WavHeader header{.channels = 6,
                         .frames = 10,
                         .speakers = 0x60f,
                         .chunks = {std::byte{'x'}, std::byte{'y'}, std::byte{'z'}, std::byte{' '},
                                    std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0}}};
  const auto bytes = header.bytes();
  EXPECT_EQ(integer<std::uint16_t>(bytes, 20), 0xfffe) << "extensible";
  EXPECT_EQ(integer<std::uint32_t>(bytes, 40), 0x60fU);
  EXPECT_EQ(text(bytes, 60), "xyz ");
  EXPECT_EQ(text(bytes, 68), "data");
  EXPECT_EQ(integer<std::uint32_t>(bytes, 4), bytes.size() - 8 + 120);
}

}  // namespace
}  // namespace ringwave::io
