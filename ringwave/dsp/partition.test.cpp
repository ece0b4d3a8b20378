// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/partition.hpp"

#include <gtest/gtest.h>

namespace ringwave::dsp {
namespace {

TEST(Partition, CoversEveryTapOnceAndIsNeverLate) {
  for (const int block : {16, 60, 128, 480, 4096, 65536})
    for (const int taps : {0, 1, 15, 16, 17, 2047, 2048, 2049, 96'000, 480'000, 8'640'000}) {
      const auto levels = partition(block, taps);
      ASSERT_FALSE(levels.empty());
      EXPECT_EQ(levels.front().offset, 0);
      EXPECT_EQ(levels.front().frames, block);
      int covered = 0;
      for (std::size_t i = 0; i < levels.size(); ++i) {
        EXPECT_EQ(levels[i].offset, covered);
        EXPECT_GE(levels[i].count, 1);
        EXPECT_EQ(levels[i].frames % block, 0);
        EXPECT_EQ(2 * levels[i].frames % (2 * levels[i].radix), 0) << "a small transform is real and even";
        EXPECT_GE(levels[i].offset, i == 0 ? 0 : 2 * levels[i].frames) << "due before it is done";
        covered += levels[i].count * levels[i].frames;
      }
      EXPECT_GE(covered, taps);
      EXPECT_LT(covered - taps, levels.back().frames + (taps == 0 ? 1 : 0));
    }
}

}  // namespace
}  // namespace ringwave::dsp
