// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/spsc_ring.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

namespace ringwave {
namespace {

TEST(SpscRing, KeepsOrderAndSaysFullAndEmpty) {
  SpscRing<int> ring(3);
  EXPECT_EQ(ring.capacity(), 4U);
  int item = 0;
  EXPECT_FALSE(ring.try_pop(item));
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(ring.try_push(i));
  EXPECT_FALSE(ring.try_push(4));
  EXPECT_EQ(ring.size(), 4U);
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(ring.try_pop(item));
    EXPECT_EQ(item, i);
  }
  EXPECT_FALSE(ring.try_pop(item));
}

TEST(SpscRing, WritesAndReadsAcrossItsEnd) {
  SpscRing<int> ring(8);
  std::vector<int> sent(6);
  std::vector<int> got(8);
  int next = 0;
  for (int lap = 0; lap < 10; ++lap) {
    std::iota(sent.begin(), sent.end(), next);
    ASSERT_EQ(ring.write(sent), 6U);
    ASSERT_EQ(ring.read(got), 6U);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(got[i], next + static_cast<int>(i));
    next += 6;
  }
  EXPECT_EQ(ring.write(std::vector<int>(20, 1)), 8U);
  EXPECT_EQ(ring.write(std::vector<int>(1, 1)), 0U);
}

TEST(SpscRing, RefusesACapacityOfZero) {
  EXPECT_THROW(SpscRing<int>(0), InvalidArgument);
}

TEST(SpscRing, LosesNothingBetweenTwoThreads) {
  constexpr std::uint64_t kItems = 200'000;
  SpscRing<std::uint64_t> ring(64);
  std::thread producer([&] {
    for (std::uint64_t i = 0; i < kItems;)
      if (ring.try_push(i))
        ++i;
      else
        std::this_thread::yield();
  });
  for (std::uint64_t expected = 0; expected < kItems;) {
    std::uint64_t item = 0;
    if (!ring.try_pop(item)) {
      std::this_thread::yield();
      continue;
    }
    ASSERT_EQ(item, expected);
    ++expected;
  }
  producer.join();
  EXPECT_EQ(ring.size(), 0U);
}

}  // namespace
}  // namespace ringwave
