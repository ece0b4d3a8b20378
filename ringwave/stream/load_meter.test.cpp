// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/load_meter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ringwave::stream {
namespace {

TEST(LoadMeter, ComesToWhatIsAdded) {
  LoadMeter meter;
  EXPECT_EQ(meter.load(), 0);
  meter.add(0.005, 0.025, 1);
  EXPECT_DOUBLE_EQ(meter.load(), 0.02) << "a tenth of its time constant";
  for (int i = 0; i < 500; ++i) meter.add(0.005, 0.025, 1);
  EXPECT_NEAR(meter.load(), 0.2, 1e-6);
  meter.clear();
  EXPECT_EQ(meter.load(), 0);
}

TEST(LoadMeter, OfALongPauseOnlyThatIsLeft) {
  LoadMeter meter;
  for (int i = 0; i < 500; ++i) meter.add(0.03, 0.02, 1);
  EXPECT_NEAR(meter.load(), 1.5, 1e-6) << "more than there is time for";
  meter.add(0.01, 10, 1);
  EXPECT_NEAR(meter.load(), 0.001, 1e-12);
  meter.add(1, 0, 1);
  EXPECT_NEAR(meter.load(), 0.001, 1e-12) << "no time, no load";
}

TEST(LoadMeter, KnowsBeforehandWhatACrowdWillTake) {
  LoadMeter meter;
  double worst = 0;
  for (int stations = 1; stations <= 200; ++stations) {
    meter.add(0.0001 * stations, 0.02, stations);  // 0.5 % each
    worst = std::max(worst, std::abs(meter.load_with(200) - 1));
  }
  EXPECT_LT(meter.load(), 0.97) << "it lags";
  EXPECT_LT(worst, 0.02) << "and this does not";
  EXPECT_EQ(meter.load_with(1), meter.load()) << "fewer take no less at once";
}

}  // namespace
}  // namespace ringwave::stream
