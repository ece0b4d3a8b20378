// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/routing_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ringwave/core/error.hpp"

namespace ringwave::backend {
namespace {

// log2 and exp2 are good to an ulp each; their arguments are below 64, so that a few 1e-16 become 1e-14.
constexpr double kRounding = 1e-12;

RoutingTable measured() {
  RoutingTable table("this machine");
  for (const int batch : {1, 8})
    for (const int size : {64, 256, 1024})
      table.add("fft", "cpu", {.size = size, .batch = batch, .seconds = 1e-8 * size * std::sqrt(batch)});
  return table;
}

double estimate(const RoutingTable& table, int size, int batch) {
  return table.estimate({"fft", size, batch}, "cpu").value();
}

TEST(RoutingTable, AnEstimateAtAMeasuredPointIsTheMeasurement) {
  const RoutingTable table = measured();
  for (const auto& point : table.points("fft", "cpu"))
    EXPECT_NEAR(estimate(table, point.size, point.batch) / point.seconds, 1.0, kRounding);
}

TEST(RoutingTable, BetweenAndBeyondPointsItFollowsTheSlope) {
  const RoutingTable table = measured();
  // The measurements are powers of size and batch, so that the lines in the logarithms are exact everywhere.
  for (const int size : {1, 63, 64, 100, 300, 1024, 5000, 1 << 20})
    for (const int batch : {1, 2, 3, 8, 9, 1000})
      EXPECT_NEAR(estimate(table, size, batch) / (1e-8 * size * std::sqrt(batch)), 1.0, kRounding)
          << size << " x " << batch;
}

TEST(RoutingTable, BetweenTwoPointsAnEstimateStaysBetweenTheirTimes) {
  RoutingTable table("this machine");
  table.add("fft", "cpu", {.size = 64, .batch = 1, .seconds = 5e-6});
  table.add("fft", "cpu", {.size = 256, .batch = 1, .seconds = 2e-6});
  table.add("fft", "cpu", {.size = 1024, .batch = 1, .seconds = 9e-6});
  for (int size = 65; size < 256; ++size) {
    EXPECT_LT(estimate(table, size, 1), estimate(table, size - 1, 1));
    EXPECT_GT(estimate(table, size, 1), 2e-6);
  }
  for (int size = 257; size < 1024; ++size) EXPECT_GT(estimate(table, size, 1), estimate(table, size - 1, 1));
}

TEST(RoutingTable, ASinglePointHoldsEverywhere) {
  RoutingTable table("this machine");
  table.add("fft", "cpu", {.size = 64, .batch = 4, .seconds = 3e-6});
  for (const int size : {1, 64, 4096}) EXPECT_NEAR(estimate(table, size, 1) / 3e-6, 1.0, kRounding);
}

TEST(RoutingTable, WhatWasNotMeasuredHasNoEstimate) {
  const RoutingTable table = measured();
  EXPECT_FALSE(table.estimate({"fft", 64, 1}, "cuda:0"));
  EXPECT_FALSE(table.estimate({"stft", 64, 1}, "cpu"));
  EXPECT_FALSE(table.estimate({"fft", 0, 1}, "cpu"));
  EXPECT_FALSE(table.estimate({"fft", 64, -1}, "cpu"));
  EXPECT_TRUE(table.points("stft", "cpu").empty());
  EXPECT_TRUE(table.points("fft", "cuda:0").empty());
}

TEST(RoutingTable, PointsComeByBatchThenSizeAndTheLastMeasurementCounts) {
  RoutingTable table("this machine");
  table.add("fft", "cpu", {.size = 64, .batch = 2, .seconds = 1});
  table.add("fft", "cpu", {.size = 64, .batch = 1, .seconds = 2});
  table.add("fft", "cpu", {.size = 32, .batch = 2, .seconds = 3});
  table.add("fft", "cpu", {.size = 64, .batch = 2, .seconds = 4});
  const auto points = table.points("fft", "cpu");
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[0].seconds, 2);
  EXPECT_EQ(points[1].seconds, 3);
  EXPECT_EQ(points[2].seconds, 4);
}

TEST(RoutingTable, AMeasurementThatCannotBeIsRefused) {
  RoutingTable table("this machine");
  for (const double seconds : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(table.add("fft", "cpu", {.size = 1, .batch = 1, .seconds = seconds}), InvalidArgument);
  EXPECT_THROW(table.add("fft", "cpu", {.size = 0, .batch = 1, .seconds = 1}), InvalidArgument);
  EXPECT_THROW(table.add("fft", "cpu", {.size = 1, .batch = 0, .seconds = 1}), InvalidArgument);
  EXPECT_TRUE(table.points("fft", "cpu").empty());
}

}  // namespace
}  // namespace ringwave::backend
