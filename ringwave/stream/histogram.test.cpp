// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/histogram.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace ringwave::stream {
namespace {

TEST(Histogram, CountsByDoublingBucketsAndKeepsSumAndMost) {
  Histogram histogram;
  EXPECT_EQ(histogram.quantile(0.5), 0);
  for (int i = 0; i < 99; ++i) histogram.add(0.001);
  histogram.add(0.015);
  EXPECT_EQ(histogram.total(), 100U);
  EXPECT_NEAR(histogram.sum(), 0.114, 1e-12);
  EXPECT_EQ(histogram.most(), 0.015);
  EXPECT_EQ(histogram.quantile(0.5), Histogram::bound(6)) << "1 ms is the end of a bucket";
  EXPECT_EQ(histogram.quantile(0.99), Histogram::bound(6));
  EXPECT_EQ(histogram.quantile(1), 0.015) << "not the end of its bucket, which nothing reached";
}

TEST(Histogram, HasAPlaceForWhatIsBeyondAll) {
  Histogram histogram;
  histogram.add(1000);
  EXPECT_EQ(histogram.count(Histogram::kBuckets), 1U);
  EXPECT_EQ(histogram.quantile(0.5), 1000);
}

TEST(Histogram, ManyThreadsAddAndNothingIsLost) {
  constexpr int kEach = 20000;
  Histogram histogram;
  const auto add = [&histogram] {
    for (int i = 0; i < kEach; ++i) histogram.add(1.0 / 1024);  // whose sums are exact
  };
  std::thread other(add);
  add();
  other.join();
  EXPECT_EQ(histogram.total(), 2U * kEach);
  EXPECT_EQ(histogram.sum(), 2.0 * kEach / 1024);
}

}  // namespace
}  // namespace ringwave::stream
