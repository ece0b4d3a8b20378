// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/memory_pressure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave {
namespace {

using testing::ElementsAre;
using Level = PressureLevel;

TEST(MemoryPressure, RisesAtEachThreshold) {
  MemoryPressure pressure;
  EXPECT_EQ(pressure.level(), Level::normal);
  EXPECT_EQ(pressure.report(79, 100), Level::normal);
  EXPECT_EQ(pressure.report(80, 100), Level::warning);
  EXPECT_EQ(pressure.report(94, 100), Level::warning);
  EXPECT_EQ(pressure.report(95, 100), Level::critical);
  EXPECT_EQ(pressure.report(200, 100), Level::critical);
  EXPECT_EQ(pressure.level(), Level::critical);
}

TEST(MemoryPressure, FallsOnlyFivePointsBelowWhereItRose) {
  MemoryPressure pressure;
  EXPECT_EQ(pressure.report(95, 100), Level::critical);
  EXPECT_EQ(pressure.report(91, 100), Level::critical);
  EXPECT_EQ(pressure.report(89, 100), Level::warning);
  EXPECT_EQ(pressure.report(94, 100), Level::warning) << "below where critical is entered";
  EXPECT_EQ(pressure.report(76, 100), Level::warning);
  EXPECT_EQ(pressure.report(74, 100), Level::normal);
  EXPECT_EQ(pressure.report(79, 100), Level::normal) << "below where warning is entered";
}

TEST(MemoryPressure, FallsFromCriticalToNormalInOneStep) {
  MemoryPressure pressure;
  (void)pressure.report(100, 100);
  EXPECT_EQ(pressure.report(0, 100), Level::normal);
}

TEST(MemoryPressure, AMemoryOfNoSizeIsFull) {
  MemoryPressure pressure;
  EXPECT_EQ(pressure.report(0, 0), Level::critical);
}

TEST(MemoryPressure, SubscribersHearChangesOnlyAndInOrder) {
  MemoryPressure pressure;
  std::vector<Level> heard;
  const auto subscription = pressure.subscribe([&](Level level) { heard.push_back(level); });
  for (const unsigned used : {10U, 85U, 86U, 84U, 99U, 98U, 10U, 11U}) (void)pressure.report(used, 100);
  EXPECT_THAT(heard, ElementsAre(Level::warning, Level::critical, Level::normal));
}

TEST(MemoryPressure, ADroppedSubscriptionHearsNoMoreAndTheOthersGoOn) {
  MemoryPressure pressure;
  int first = 0;
  int second = 0;
  auto dropped = pressure.subscribe([&](Level) { ++first; });
  const auto kept = pressure.subscribe([&](Level) { ++second; });
  (void)pressure.report(90, 100);
  dropped.reset();
  (void)pressure.report(0, 100);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 2);
}

TEST(MemoryPressure, ASubscriptionMayOutliveItsWatch) {
  int heard = 0;
  auto pressure = std::make_optional<MemoryPressure>();
  auto subscription = pressure->subscribe([&](Level) { ++heard; });
  (void)pressure->report(90, 100);
  pressure.reset();
  subscription.reset();
  EXPECT_EQ(heard, 1);
}

TEST(MemoryPressure, RefusesThresholdsOutOfOrder) {
  EXPECT_THROW(MemoryPressure({.warning = 0.9, .critical = 0.8}), InvalidArgument);
  EXPECT_THROW(MemoryPressure({.warning = 0.0, .critical = 0.8}), InvalidArgument);
  EXPECT_THROW(MemoryPressure({.warning = 0.5, .critical = 1.1}), InvalidArgument);
  EXPECT_THROW(MemoryPressure({.warning = 0.5, .critical = 0.8, .hysteresis = 0.6}), InvalidArgument);
  EXPECT_THROW(MemoryPressure({.warning = std::numeric_limits<double>::quiet_NaN()}), InvalidArgument);
  MemoryPressure own({.warning = 0.5, .critical = 1.0, .hysteresis = 0.0});
  EXPECT_EQ(own.report(50, 100), Level::warning);
  EXPECT_EQ(own.report(49, 100), Level::normal);
}

TEST(MemoryPressure, EveryLevelHasItsWord) {
  EXPECT_EQ(to_string(Level::normal), "normal");
  EXPECT_EQ(to_string(Level::warning), "warning");
  EXPECT_EQ(to_string(Level::critical), "critical");
}

}  // namespace
}  // namespace ringwave
