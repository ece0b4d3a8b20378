// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/block_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace ringwave::backend {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(BlockCheck, AShapeThatNoOpTakesIsRefusedWithItsNumbers) {
  EXPECT_NO_THROW(require_shape("gain", 1, 1));
  EXPECT_NO_THROW(require_shape("gain", kMostChannels, kMostBlockFrames));
  EXPECT_THROW(require_shape("gain", 0, 1), InvalidArgument);
  EXPECT_THROW(require_shape("gain", 1, 0), InvalidArgument);
  EXPECT_THROW(require_shape("gain", 1, kMostBlockFrames + 1), InvalidArgument);
  EXPECT_THAT([] { require_shape("gain", kMostChannels + 1, 77); },
              testing::ThrowsMessage<InvalidArgument>(
                  testing::AllOf(testing::HasSubstr("gain"), testing::HasSubstr("77"))));
}

TEST(BlockCheck, ARangeHasItsEndsAndNoNan) {
  EXPECT_TRUE(within(-1, -1, 2));
  EXPECT_TRUE(within(2, -1, 2));
  EXPECT_FALSE(within(-1.001, -1, 2));
  EXPECT_FALSE(within(2.001, -1, 2));
  EXPECT_FALSE(within(kNan, -1, 2));
  EXPECT_FALSE(within(1, kNan, kNan));
}

TEST(BlockCheck, ASampleRateIsFrom8To768KHz) {
  for (const double hz : {8000.0, 44100.0, 768000.0}) EXPECT_TRUE(is_sample_rate(hz)) << hz;
  for (const double hz : {0.0, -48000.0, 7999.0, 768001.0}) EXPECT_FALSE(is_sample_rate(hz)) << hz;
  EXPECT_FALSE(is_sample_rate(kNan));
  EXPECT_FALSE(is_sample_rate(kInfinity));
}

TEST(BlockCheck, ABlockFitsUpToTheLargestPrepared) {
  std::vector<float> samples(2 * 65);
  const auto block = [&](int channels, int frames) {
    return BlockView<float>(samples.data(), channels, frames);
  };
  EXPECT_EQ(check_shape(block(2, 64), block(2, 64), 2, 64), Status::ok);
  EXPECT_EQ(check_shape(block(2, 0), block(2, 0), 2, 64), Status::ok);
  EXPECT_EQ(check_shape(block(2, 65), block(2, 65), 2, 64), Status::wrong_shape);
  EXPECT_EQ(check_shape(block(2, 64), block(2, 63), 2, 64), Status::wrong_shape);
  EXPECT_EQ(check_shape(block(1, 64), block(2, 64), 2, 64), Status::wrong_shape);
  EXPECT_EQ(check_shape(block(2, 64), block(1, 64), 2, 64), Status::wrong_shape);
  EXPECT_EQ(check_shape(block(2, -1), block(2, -1), 2, 64), Status::wrong_shape);
}

TEST(BlockCheck, SilenceLeavesTheGapsBetweenTheChannelsAlone) {
  std::vector<float> samples(2 * 4, 1.0F);
  silence(BlockView<float>(samples.data(), 2, 3, 4));
  EXPECT_THAT(samples, testing::ElementsAre(0, 0, 0, 1, 0, 0, 0, 1));
}

TEST(BlockCheck, KnowsNanAndInfinityAndNothingElse) {
  for (const float sample : {kNan, -kNan, kInfinity, -kInfinity}) EXPECT_EQ(is_nonfinite(sample), 1U);
  for (const float sample : {0.0F, -0.0F, 1.0F, 3.4e38F, 1.0e-45F, -3.4e38F})
    EXPECT_EQ(is_nonfinite(sample), 0U);
}

}  // namespace
}  // namespace ringwave::backend
