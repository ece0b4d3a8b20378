// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/butterworth.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

double decibels(const std::vector<Section>& sections, double hz, double rate_hz) {
  return response_db(sections, hz, rate_hz);
}

/// What the bilinear transform makes of 1 / (1 + (f/fc)^2n): the design's own definition.
double expected_lowpass(int order, double hz, double cutoff_hz, double rate_hz) {
  const double ratio =
      std::tan(std::numbers::pi * hz / rate_hz) / std::tan(std::numbers::pi * cutoff_hz / rate_hz);
  return -10 * std::log10(1 + std::pow(ratio, 2 * order));
}

TEST(Butterworth, IsThreeDecibelsDownAtItsCutoffForEveryOrder) {
  const double half_power = 10 * std::log10(0.5);
  for (int order = 1; order <= 64; ++order)
    for (const double cutoff : {20.0, 1000.0, 23000.0}) {
      EXPECT_NEAR(decibels(butterworth_lowpass(order, cutoff, 48000), cutoff, 48000), half_power, 1e-6)
          << "low-pass of order " << order << " at " << cutoff;
      EXPECT_NEAR(decibels(butterworth_highpass(order, cutoff, 48000), cutoff, 48000), half_power, 1e-6)
          << "high-pass of order " << order << " at " << cutoff;
    }
}

TEST(Butterworth, FollowsItsFormulaEverywhere) {
  for (const int order : {1, 2, 3, 5, 8})
    for (double hz = 50; hz < 22000; hz *= 1.7) {
      EXPECT_NEAR(decibels(butterworth_lowpass(order, 1000, 48000), hz, 48000),
                  expected_lowpass(order, hz, 1000, 48000), 1e-6)
          << order << " at " << hz;
      // A high-pass is the low-pass mirrored at half of half the rate.
      EXPECT_NEAR(decibels(butterworth_highpass(order, 1000, 48000), hz, 48000),
                  expected_lowpass(order, 24000 - hz, 23000, 48000), 1e-6)
          << order << " at " << hz;
    }
}

TEST(Butterworth, FallsBySixDecibelsAnOctaveAndOrder) {
  // Far below half the rate, where the transform does not bend the curve yet.
  const auto lowpass = butterworth_lowpass(8, 100, 192000);
  EXPECT_NEAR(decibels(lowpass, 400, 192000) - decibels(lowpass, 800, 192000), 8 * 6.02, 0.05);
  const auto highpass = butterworth_highpass(3, 2000, 192000);
  EXPECT_NEAR(decibels(highpass, 200, 192000) - decibels(highpass, 100, 192000), 3 * 6.02, 0.05);
}

TEST(Butterworth, PassesWhatItShouldWithoutChange) {
  for (const int order : {1, 2, 7, 8}) {
    EXPECT_NEAR(decibels(butterworth_lowpass(order, 1000, 48000), 0, 48000), 0, 1e-9);
    EXPECT_NEAR(decibels(butterworth_highpass(order, 1000, 48000), 24000, 48000), 0, 1e-9);
  }
}

TEST(Butterworth, ABandIsThreeDecibelsDownAtBothEdgesForEveryOrder) {
  const double half_power = 10 * std::log10(0.5);
  for (int order = 1; order <= 64; ++order)
    for (const auto& [low, high] : {std::pair{300.0, 3400.0}, std::pair{1000.0, 1500.0}}) {
      const auto band = butterworth_bandpass(order, low, high, 48000);
      ASSERT_EQ(band.size(), static_cast<std::size_t>(order));
      EXPECT_NO_THROW(require_stable(band));
      EXPECT_NEAR(decibels(band, low, 48000), half_power, 1e-6) << order;
      EXPECT_NEAR(decibels(band, high, 48000), half_power, 1e-6) << order;
    }
}

TEST(Butterworth, ABandFollowsItsFormulaEverywhere) {
  const auto axis = [](double hz) { return std::tan(std::numbers::pi * hz / 48000); };
  for (const int order : {1, 2, 3, 6}) {
    const auto band = butterworth_bandpass(order, 300, 3400, 48000);
    for (double hz = 50; hz < 22000; hz *= 1.7) {
      const double ratio = (axis(hz) - axis(300) * axis(3400) / axis(hz)) / (axis(3400) - axis(300));
      EXPECT_NEAR(decibels(band, hz, 48000), -10 * std::log10(1 + std::pow(ratio, 2 * order)), 1e-6)
          << order << " at " << hz;
    }
  }
}

TEST(Butterworth, AVeryWideBandHasRealPolesAndIsStillRight) {
  const auto band = butterworth_bandpass(1, 1, 20000, 48000);
  EXPECT_NO_THROW(require_stable(band));
  EXPECT_NEAR(decibels(band, 1, 48000), 10 * std::log10(0.5), 1e-6);
  EXPECT_NEAR(decibels(band, 20000, 48000), 10 * std::log10(0.5), 1e-6);
}

TEST(Butterworth, HasOneSectionForTwoOrders) {
  EXPECT_EQ(butterworth_lowpass(1, 1000, 48000).size(), 1U);
  EXPECT_EQ(butterworth_lowpass(8, 1000, 48000).size(), 4U);
  EXPECT_EQ(butterworth_highpass(7, 1000, 48000).size(), 4U);
  EXPECT_EQ(butterworth_highpass(7, 1000, 48000).back().a2, 0.0) << "the odd one is of first order";
}

TEST(Butterworth, IsAlwaysStable) {
  for (int order = 1; order <= 64; ++order)
    for (const double cutoff : {0.01, 1.0, 20.0, 10000.0, 95999.0}) {
      EXPECT_NO_THROW(require_stable(butterworth_lowpass(order, cutoff, 192000))) << order << " " << cutoff;
      EXPECT_NO_THROW(require_stable(butterworth_highpass(order, cutoff, 192000))) << order << " " << cutoff;
    }
}

TEST(Butterworth, RefusesWhatCannotBeBuiltAndSaysWhatCan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT([] { (void)butterworth_lowpass(0, 1000, 48000); },
              ThrowsMessage<InvalidArgument>(HasSubstr("order 0")));
  EXPECT_THROW((void)butterworth_lowpass(65, 1000, 48000), InvalidArgument);
  EXPECT_THROW((void)butterworth_lowpass(4, 0, 48000), InvalidArgument);
  EXPECT_THROW((void)butterworth_lowpass(4, -5, 48000), InvalidArgument);
  EXPECT_THAT([] { (void)butterworth_highpass(4, 24000, 48000); },
              ThrowsMessage<InvalidArgument>(HasSubstr("below half the rate")));
  EXPECT_THAT([] { (void)butterworth_bandpass(4, 2000, 1000, 48000); },
              ThrowsMessage<InvalidArgument>(HasSubstr("ascend")));
  EXPECT_THROW((void)butterworth_bandpass(4, 2000, 24000, 48000), InvalidArgument);
  EXPECT_THROW((void)butterworth_highpass(4, nan, 48000), InvalidArgument);
  EXPECT_THROW((void)butterworth_highpass(4, 1000, nan), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
