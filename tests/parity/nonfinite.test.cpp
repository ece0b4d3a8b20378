// SPDX-License-Identifier: Apache-2.0
// What is not a number comes in by one channel: it is counted, never reaches another channel, harms nothing
// before it, and is gone after a reset.
#include <gtest/gtest.h>

#include <limits>

#include "tests/parity/case.hpp"

namespace ringwave::parity {
namespace {

class NonfiniteParity : public testing::TestWithParam<Case> {
 protected:
  static constexpr int kChannels = 11;
  static constexpr int kBad = 6;

  /// Runs `frames` frames in blocks of `block` with `bad` at the given frames of one channel.
  void expect_contained(int frames, int block, float bad, const std::vector<int>& places) {
    SCOPED_TRACE(std::to_string(bad) + " at " + testing::PrintToString(places) + " of " +
                 std::to_string(frames) + " frames in blocks of " + std::to_string(block));
    const Signal clean = noise(kChannels, frames, 61);
    Signal in = clean;
    for (const int place : places) in.channel(kBad)[static_cast<std::size_t>(place)] = bad;
    const auto op = GetParam().make(kChannels, block);
    const Signal expected = run(*op, clean, block);
    op->reset();
    ASSERT_EQ(op->nonfinite_samples(), 0U);

    const Signal out = run(*op, in, block);
    EXPECT_EQ(op->nonfinite_samples(), places.size());
    for (int i = 0; i < kChannels; ++i) {
      const int first = first_difference(out.channel(i), expected.channel(i));
      if (i == kBad)
        ASSERT_TRUE(first == -1 || first >= places.front()) << "frame " << first << " was harmed from behind";
      else
        ASSERT_EQ(first, -1) << "it spread to channel " << i;
    }

    op->reset();
    const Signal healed = run(*op, clean, block);
    for (int i = 0; i < kChannels; ++i)
      ASSERT_EQ(first_difference(healed.channel(i), expected.channel(i)), -1)
          << "reset left something in channel " << i;
    EXPECT_EQ(op->nonfinite_samples(), places.size()) << "reset must not forget the count";
  }
};

TEST_P(NonfiniteParity, IsContainedCountedAndHealed) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity}) {
    ASSERT_NO_FATAL_FAILURE(expect_contained(700, 64, bad, {300, 301, 500}));
    ASSERT_NO_FATAL_FAILURE(expect_contained(700, 700, bad, {0}));
    ASSERT_NO_FATAL_FAILURE(expect_contained(700, 700, bad, {699}));
    ASSERT_NO_FATAL_FAILURE(expect_contained(20'000, 20'000, bad, {9'999, 10'000, 15'000}));
  }
}

TEST_P(NonfiniteParity, AreAllCounted) {
  const auto op = GetParam().make(3, 5000);
  const Signal in = constant(3, 5000, std::numeric_limits<float>::quiet_NaN());
  (void)run(*op, in, 5000);
  EXPECT_EQ(op->nonfinite_samples(), 15'000U);
}

TEST_P(NonfiniteParity, TheLargestFiniteNumberIsNotCounted) {
  const auto op = GetParam().make(1, 64);
  (void)run(*op, constant(1, 64, std::numeric_limits<float>::max()), 64);
  EXPECT_EQ(op->nonfinite_samples(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Ops, NonfiniteParity, testing::ValuesIn(all_cases()), name_of);

}  // namespace
}  // namespace ringwave::parity
