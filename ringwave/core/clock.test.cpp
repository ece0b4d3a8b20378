// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/clock.hpp"

#include <gtest/gtest.h>

#include <random>

namespace ringwave {
namespace {

using std::chrono::nanoseconds;

const Clock::Time kOrigin{nanoseconds{123'456'789}};

class ClockAtRate : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Rates, ClockAtRate,
                         testing::Values(1, 44'100, 48'000, 88'200, 96'000, 176'400, 192'000, 10'000'000));

TEST_P(ClockAtRate, EveryFrameComesBackFromItsTime) {
  const Clock clock(GetParam(), kOrigin);
  std::mt19937_64 random(1);
  // At 1 Hz the monotonic clock itself ends after 2^63 ns, 9.2 × 10^9 frames.
  std::uniform_int_distribution<FrameCount> anywhere(-9'000'000'000, 9'000'000'000);
  for (int i = 0; i < 20'000; ++i) {
    const FrameCount frame = i < 2'000 ? i - 1'000 : anywhere(random);
    ASSERT_EQ(clock.frame_at(clock.time_of(frame)), frame);
    ASSERT_EQ(clock.frame_at(clock.time_of(frame) - nanoseconds{1}), frame - 1);
  }
}

TEST_P(ClockAtRate, AWholeNumberOfSecondsIsExactHoweverManyFramesItTakes) {
  const Clock clock(GetParam(), kOrigin);
  for (const std::int64_t seconds : {1, 60, 86'400, 31'536'000, -1, -86'400}) {
    const auto time = kOrigin + std::chrono::seconds{seconds};
    EXPECT_EQ(clock.time_of(seconds * GetParam()), time);
    EXPECT_EQ(clock.frame_at(time), seconds * GetParam());
  }
}

TEST(Clock, DoesNotDriftOverABillionBlocks) {
  // 10^9 blocks of 441 frames at 44.1 kHz: 10^7 seconds, whose length in nanoseconds no block has a share in.
  const Clock clock(44'100, kOrigin);
  constexpr FrameCount kBlockFrames = 441;
  constexpr FrameCount kBlocks = 1'000'000'000;
  EXPECT_EQ(clock.time_of(kBlocks * kBlockFrames), kOrigin + std::chrono::seconds{10'000'000});
  // A block of 64 frames is 1451247.165… ns: adding up rounded blocks would be 0.16 s off.
  EXPECT_EQ(clock.time_of(kBlocks * 64), kOrigin + nanoseconds{1'451'247'165'532'880});
}

TEST(Clock, TimesAreRoundedUpOnBothSidesOfTheOrigin) {
  const Clock clock(44'100, kOrigin);  // one frame is 22675.7 ns
  EXPECT_EQ(clock.time_of(1), kOrigin + nanoseconds{22'676});
  EXPECT_EQ(clock.time_of(-1), kOrigin - nanoseconds{22'675});
  EXPECT_EQ(clock.frame_at(kOrigin - nanoseconds{1}), -1);
  EXPECT_EQ(clock.frame_at(kOrigin), 0);
}

TEST(Clock, TellsTheLengthOfFramesInSeconds) {
  EXPECT_DOUBLE_EQ(Clock(48'000).seconds(24'000), 0.5);
  EXPECT_DOUBLE_EQ(Clock(48'000).seconds(-48'000), -1.0);
  EXPECT_EQ(Clock(96'000).sample_rate_hz(), 96'000);
}

TEST(Clock, RefusesARateOutOfRangeAndNamesIt) {
  for (const int rate_hz : {0, -1, 10'000'001}) {
    try {
      const Clock clock(rate_hz);
      FAIL() << rate_hz;
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(std::to_string(rate_hz)), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace ringwave
