// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/token_bucket.hpp"

#include <gtest/gtest.h>

namespace ringwave::stream {
namespace {

using std::chrono::milliseconds;

TEST(TokenBucket, GivesItsCapacityAtOnceAndThenItsRate) {
  const TokenBucket::Time start{};
  TokenBucket bucket(3, 10, start);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(bucket.take(1, start));
  EXPECT_FALSE(bucket.take(1, start));
  EXPECT_FALSE(bucket.take(1, start + milliseconds(99)));
  EXPECT_TRUE(bucket.take(1, start + milliseconds(101)));
  EXPECT_FALSE(bucket.take(1, start + milliseconds(101)));
}

TEST(TokenBucket, NeverHoldsMoreThanItsCapacity) {
  const TokenBucket::Time start{};
  TokenBucket bucket(2, 1000, start);
  const auto later = start + std::chrono::hours(1);
  EXPECT_TRUE(bucket.is_full(later));
  EXPECT_FALSE(bucket.take(3, later));
  EXPECT_TRUE(bucket.take(2, later));
  EXPECT_FALSE(bucket.is_full(later));
}

TEST(TokenBucket, ATimeThatGoesBackGivesNothing) {
  const TokenBucket::Time start = TokenBucket::Time{} + std::chrono::hours(1);
  TokenBucket bucket(1, 1, start);
  EXPECT_TRUE(bucket.take(1, start));
  EXPECT_FALSE(bucket.take(1, start - std::chrono::minutes(1)));
  EXPECT_FALSE(bucket.take(1, start + milliseconds(500))) << "half a token";
}

}  // namespace
}  // namespace ringwave::stream
