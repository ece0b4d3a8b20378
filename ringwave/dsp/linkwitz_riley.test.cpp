// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/linkwitz_riley.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr double kRate = 48000;

TEST(LinkwitzRiley, BothHalvesAreSixDecibelsDownAtTheCrossover) {
  for (int order = 2; order <= 64; order += 2)
    for (const double hz : {80.0, 2500.0, 18000.0}) {
      EXPECT_NEAR(response_db(linkwitz_riley_lowpass(order, hz, kRate), hz, kRate), -6.0206, 1e-4) << order;
      EXPECT_NEAR(response_db(linkwitz_riley_highpass(order, hz, kRate), hz, kRate), -6.0206, 1e-4) << order;
    }
}

TEST(LinkwitzRiley, TheHalvesSumToAFlatResponseForEveryOrder) {
  for (int order = 2; order <= 128; order += 2) {
    const auto low = linkwitz_riley_lowpass(order, 2500, kRate);
    const auto high = linkwitz_riley_highpass(order, 2500, kRate);
    for (double hz = 20; hz < 24000; hz *= 1.1)
      EXPECT_NEAR(std::abs(response(low, hz, kRate) + response(high, hz, kRate)), 1, 1e-6)
          << "order " << order << " at " << hz;
  }
}

TEST(LinkwitzRiley, IsStableAndHasOneSectionForTwoOrders) {
  for (int order = 2; order <= 128; order += 2)
    for (const double hz : {20.0, 20000.0}) {
      const auto low = linkwitz_riley_lowpass(order, hz, kRate);
      const auto high = linkwitz_riley_highpass(order, hz, kRate);
      EXPECT_EQ(low.size(), static_cast<std::size_t>(order / 2));
      EXPECT_EQ(high.size(), low.size());
      EXPECT_NO_THROW(require_stable(low));
      EXPECT_NO_THROW(require_stable(high));
    }
}

TEST(LinkwitzRiley, RefusesOddOrdersAndCrossoversThatAreNone) {
  EXPECT_THAT([] { (void)linkwitz_riley_lowpass(3, 1000, kRate); },
              ThrowsMessage<InvalidArgument>(HasSubstr("order 3")));
  EXPECT_THROW((void)linkwitz_riley_highpass(0, 1000, kRate), InvalidArgument);
  EXPECT_THROW((void)linkwitz_riley_highpass(130, 1000, kRate), InvalidArgument);
  EXPECT_THROW((void)linkwitz_riley_lowpass(4, 24000, kRate), InvalidArgument);
  EXPECT_THROW((void)linkwitz_riley_lowpass(4, std::numeric_limits<double>::quiet_NaN(), kRate),
               InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
