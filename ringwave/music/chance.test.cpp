// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/chance.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace ringwave::music {
namespace {

using For = Chance::For;

TEST(Chance, SaysTheSameOfTheSamePlaceAndAnotherOfAnother) {
  Chance once(7, For::melody, 1000);
  Chance again(7, For::melody, 1000);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(once.next(), again.next());
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const For purpose : {For::form, For::melody, For::hats})
      for (std::int64_t place = -10; place < 10; ++place) seen.insert(Chance(seed, purpose, place).next());
  EXPECT_EQ(seen.size(), 20U * 3U * 20U);
}

TEST(Chance, IsTheSameOnEveryMachine) {
  EXPECT_EQ(Chance(1, For::form, 2).next(), 15671754871817308195U);  // as Python counts it
}

TEST(Chance, PicksAsOftenAsTheWeightsSay) {
  const std::array weights{0, 1, 0, 3, 6};
  std::array<int, 5> counts{};
  for (std::int64_t place = 0; place < 10'000; ++place)
    ++counts[Chance(3, For::progression, place).pick(weights)];
  EXPECT_EQ(counts[0], 0);
  EXPECT_EQ(counts[2], 0);
  // Four standard deviations of so many throws.
  EXPECT_NEAR(counts[1], 1000, 120);
  EXPECT_NEAR(counts[3], 3000, 184);
  EXPECT_NEAR(counts[4], 6000, 196);
}

TEST(Chance, StaysInItsRange) {
  std::set<int> seen;
  for (std::int64_t place = 0; place < 1000; ++place) seen.insert(Chance(5, For::bass, place).between(-2, 3));
  EXPECT_EQ(seen, (std::set{-2, -1, 0, 1, 2, 3}));
  EXPECT_FALSE(Chance(5, For::bass, 0).happens(0));
  EXPECT_TRUE(Chance(5, For::bass, 0).happens(1000));
}

}  // namespace
}  // namespace ringwave::music
