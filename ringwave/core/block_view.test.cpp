// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/block_view.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace ringwave {
namespace {

TEST(BlockView, ChannelsAreAStrideApart) {
  std::vector<float> samples(3 * 10);
  std::iota(samples.begin(), samples.end(), 0.0F);
  const BlockView<float> block(samples.data(), 3, 8, 10);
  EXPECT_EQ(block.channel(0).front(), 0.0F);
  EXPECT_EQ(block.channel(2).front(), 20.0F);
  EXPECT_EQ(block.channel(2).back(), 27.0F);
  EXPECT_EQ(BlockView<float>(samples.data(), 3, 10).channel(1).front(), 10.0F);
}

TEST(BlockView, ASliceKeepsTheChannelsAndMovesTheFrames) {
  std::vector<float> samples(2 * 6);
  std::iota(samples.begin(), samples.end(), 0.0F);
  const auto slice = BlockView<float>(samples.data(), 2, 6).slice(2, 3);
  EXPECT_EQ(slice.channels(), 2);
  EXPECT_EQ(slice.frames(), 3);
  EXPECT_EQ(slice.channel(0).front(), 2.0F);
  EXPECT_EQ(slice.channel(1).back(), 10.0F);
}

TEST(BlockView, AMonoSignalIsABlockAndWhatIsWritableIsReadable) {
  std::vector<float> samples(5, 1.0F);
  const BlockView<float> block{std::span<float>(samples)};
  const BlockView<const float> readable = block;
  EXPECT_EQ(readable.channels(), 1);
  EXPECT_EQ(readable.frames(), 5);
  EXPECT_EQ(readable.data(), samples.data());
  static_assert(!std::is_convertible_v<BlockView<const float>, BlockView<float>>);
}

TEST(BlockView, IsEmptyWithoutChannelsOrFrames) {
  float sample = 0;
  EXPECT_TRUE(BlockView<float>().empty());
  EXPECT_TRUE(BlockView<float>(&sample, 0, 5).empty());
  EXPECT_TRUE(BlockView<float>(&sample, 5, 0).empty());
  EXPECT_FALSE(BlockView<float>(&sample, 1, 1).empty());
}

}  // namespace
}  // namespace ringwave
