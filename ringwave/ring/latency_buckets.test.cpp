// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/latency_buckets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ringwave::ring {
namespace {

TEST(LatencyBuckets, HoldWhatFallsIntoThem) {
  int last = 0;
  for (std::int64_t ns = 0; ns < 30'000'000'000; ns = ns < 100 ? ns + 1 : ns + ns / 50) {
    const int bucket = LatencyBuckets::bucket_of(ns);
    ASSERT_GE(bucket, last) << ns;
    ASSERT_LT(bucket, LatencyBuckets::kBuckets);
    ASSERT_LE(ns, LatencyBuckets::end_of(bucket)) << ns;
    if (ns >= 16) {
      ASSERT_GE(static_cast<double>(ns) * 1.13, static_cast<double>(LatencyBuckets::end_of(bucket))) << ns;
    }
    last = bucket;
  }
  EXPECT_EQ(LatencyBuckets::bucket_of(INT64_MAX), LatencyBuckets::kBuckets - 1)
      << "what is longer is in the last";
}

TEST(LatencyBuckets, GiveQuantilesWithinAnEighth) {
  LatencyBuckets buckets{};
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < 1000; ++i) all.push_back(500 + i * i);
  for (const std::int64_t ns : all) ++buckets.counts[LatencyBuckets::bucket_of(ns)];
  buckets.min_ns = all.front();
  buckets.max_ns = all.back();
  const LatencySummary summary = summary_of(buckets);
  EXPECT_EQ(summary.count, 1000U);
  EXPECT_EQ(summary.min_ns, all.front());
  EXPECT_EQ(summary.max_ns, all.back());
  EXPECT_NEAR(static_cast<double>(summary.p50_ns), static_cast<double>(all[500]),
              static_cast<double>(all[500]) / 8);
  EXPECT_NEAR(static_cast<double>(summary.p99_ns), static_cast<double>(all[989]),
              static_cast<double>(all[989]) / 8);
}

TEST(LatencyBuckets, OfNothingAreNothing) {
  const LatencyBuckets buckets{};
  EXPECT_EQ(summary_of(buckets).count, 0U);
  EXPECT_EQ(summary_of(buckets).p99_ns, 0);
}

}  // namespace
}  // namespace ringwave::ring
