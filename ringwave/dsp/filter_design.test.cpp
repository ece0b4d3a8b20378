// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/filter_design.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using Complex = std::complex<double>;

constexpr double kRate = 48000;

double decibels(const Section& section, double hz, double rate = kRate) {
  return response_db({&section, 1}, hz, rate);
}

/// Where the bilinear transform takes a frequency, in units of the corner: the prototype's own axis.
Complex analogue(double hz, double corner_hz) {
  return {0, std::tan(std::numbers::pi * hz / kRate) / std::tan(std::numbers::pi * corner_hz / kRate)};
}

/// The section against its prototype, magnitude and phase, from 10 Hz to near half the rate.
void expect_prototype(const Section& section, double corner_hz, const std::function<Complex(Complex)>& h) {
  for (double hz = 10; hz < 23900; hz *= 1.3) {
    const Complex expected = h(analogue(hz, corner_hz));
    EXPECT_LT(std::abs(response({&section, 1}, hz, kRate) - expected), 1e-8 * (1 + std::abs(expected)))
        << "at " << hz << " Hz of a filter at " << corner_hz;
  }
}

TEST(FilterDesign, FollowsItsPrototypesEverywhere) {
  for (const double hz : {30.0, 1000.0, 15000.0})
    for (const double q : {0.3, 0.7071, 8.0}) {
      const auto under = [q](Complex s) { return s * s + s / q + 1.0; };
      expect_prototype(lowpass(hz, q, kRate), hz, [&](Complex s) { return 1.0 / under(s); });
      expect_prototype(highpass(hz, q, kRate), hz, [&](Complex s) { return s * s / under(s); });
      expect_prototype(bandpass(hz, q, kRate), hz, [&](Complex s) { return s / q / under(s); });
      expect_prototype(notch(hz, q, kRate), hz, [&](Complex s) { return (s * s + 1.0) / under(s); });
      expect_prototype(allpass(hz, q, kRate), hz, [&](Complex s) { return under(-s) / under(s); });
    }
}

TEST(FilterDesign, HalfPowerIsAtTheCutoff) {
  const double half_power = 10 * std::log10(0.5);
  for (const double hz : {20.0, 1000.0, 20000.0}) {
    EXPECT_NEAR(decibels(lowpass(hz, std::numbers::sqrt2 / 2, kRate), hz), half_power, 1e-7);
    EXPECT_NEAR(decibels(highpass(hz, std::numbers::sqrt2 / 2, kRate), hz), half_power, 1e-7);
    EXPECT_NEAR(decibels(one_pole_lowpass(hz, kRate), hz), half_power, 1e-7);
    EXPECT_NEAR(decibels(one_pole_highpass(hz, kRate), hz), half_power, 1e-7);
  }
}

TEST(FilterDesign, APeakHasItsGainAtTheCentreAndNoneFarAway) {
  for (const double gain : {-24.0, -3.0, 0.0, 6.0, 18.0}) {
    const Section peak = peaking(1000, 2, gain, kRate);
    EXPECT_NEAR(decibels(peak, 1000), gain, 1e-9);
    EXPECT_NEAR(decibels(peak, 0), 0, 1e-9);
    EXPECT_NEAR(decibels(peak, 24000), 0, 1e-9);
    const Section undone = peaking(1000, 2, -gain, kRate);
    for (double hz = 50; hz < 20000; hz *= 1.5)
      EXPECT_NEAR(decibels(peak, hz) + decibels(undone, hz), 0, 1e-9) << "a cut is the boost's inverse";
  }
}

TEST(FilterDesign, AShelfHasItsGainOnOneSideAndHalfAtTheCorner) {
  for (const double gain : {-12.0, 9.0})
    for (const double slope : {0.4, 1.0}) {
      const double q = q_of_slope(slope, gain);
      const Section low = low_shelf(300, q, gain, kRate);
      EXPECT_NEAR(decibels(low, 0), gain, 1e-9);
      EXPECT_NEAR(decibels(low, 300), gain / 2, 1e-9);
      EXPECT_NEAR(decibels(low, 24000), 0, 1e-9);
      const Section high = high_shelf(5000, q, gain, kRate);
      EXPECT_NEAR(decibels(high, 0), 0, 1e-9);
      EXPECT_NEAR(decibels(high, 5000), gain / 2, 1e-9);
      EXPECT_NEAR(decibels(high, 24000), gain, 1e-9);
    }
}

TEST(FilterDesign, AShelfOfSlopeOneOrLessNeverOvershoots) {
  for (const double slope : {0.3, 0.7, 1.0}) {
    const Section shelf = low_shelf(1000, q_of_slope(slope, 12), 12, kRate);
    double before = decibels(shelf, 0);
    for (double hz = 20; hz < 24000; hz *= 1.02) {
      const double now = decibels(shelf, hz);
      EXPECT_LE(now, before + 1e-9) << "slope " << slope << " at " << hz;
      before = now;
    }
  }
}

TEST(FilterDesign, ABandwidthLiesBetweenThePointsOfHalfPower) {
  // Low at 192 kHz, where the transform bends nothing: an octave from 1000/sqrt(2) to 1000 sqrt(2).
  const double rate = 192000;
  const Section band = bandpass(1000, q_of_bandwidth(1, 1000, rate), rate);
  EXPECT_NEAR(decibels(band, 1000, rate), 0, 1e-9);
  EXPECT_NEAR(decibels(band, 1000 / std::numbers::sqrt2, rate), -3.01, 0.02);
  EXPECT_NEAR(decibels(band, 1000 * std::numbers::sqrt2, rate), -3.01, 0.02);
  const Section peak = peaking(1000, q_of_bandwidth(1, 1000, rate), 12, rate);
  EXPECT_NEAR(decibels(peak, 1000 * std::numbers::sqrt2, rate), 6, 0.02);
}

TEST(FilterDesign, ANotchIsDeepAndAnAllpassIsFlat) {
  EXPECT_LT(decibels(notch(50, 20, kRate), 50), -200);
  const Section turn = allpass(700, 0.7, kRate);
  for (double hz = 20; hz < 24000; hz *= 1.5) EXPECT_NEAR(decibels(turn, hz), 0, 1e-9);
  EXPECT_NEAR(std::abs(std::arg(response({&turn, 1}, 700, kRate))), std::numbers::pi, 1e-9);
}

TEST(FilterDesign, TheDcBlockerTakesNothingButTheOffset) {
  for (const double rate : {44100.0, 192000.0}) {
    const Section blocker = dc_blocker(rate);
    EXPECT_EQ(std::abs(response({&blocker, 1}, 0, rate)), 0);
    EXPECT_NEAR(decibels(blocker, 20, rate), -0.263, 0.01);
    EXPECT_NEAR(decibels(blocker, 1000, rate), 0, 0.001);
  }
}

TEST(FilterDesign, IsStableForEverythingThatItTakes) {
  for (const double rate : {44100.0, 192000.0})
    for (const double share : {1e-6, 1e-3, 0.1, 0.4, 0.4999})
      for (const double q : {0.01, 1.0, 1000.0})
        for (const double gain : {-120.0, 0.0, 120.0}) {
          const double hz = share * rate;
          const std::vector<Section> all{lowpass(hz, q, rate),         highpass(hz, q, rate),
                                         bandpass(hz, q, rate),        notch(hz, q, rate),
                                         allpass(hz, q, rate),         peaking(hz, q, gain, rate),
                                         low_shelf(hz, q, gain, rate), high_shelf(hz, q, gain, rate),
                                         one_pole_lowpass(hz, rate),   one_pole_highpass(hz, rate)};
          EXPECT_NO_THROW(require_stable(all)) << hz << " Hz, q " << q << ", " << gain << " dB";
        }
}

TEST(FilterDesign, RefusesWhatCannotBeBuiltInOneSentence) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT([] { (void)lowpass(24000, 1, kRate); },
              ThrowsMessage<InvalidArgument>(HasSubstr("below half the rate")));
  EXPECT_THAT([] { (void)highpass(1000, 0, kRate); }, ThrowsMessage<InvalidArgument>(HasSubstr("q of 0")));
  EXPECT_THAT([] { (void)peaking(1000, 1, 121, kRate); }, ThrowsMessage<InvalidArgument>(HasSubstr("121.0")));
  EXPECT_THROW((void)bandpass(0, 1, kRate), InvalidArgument);
  EXPECT_THROW((void)notch(-3, 1, kRate), InvalidArgument);
  EXPECT_THROW((void)allpass(1000, -1, kRate), InvalidArgument);
  EXPECT_THROW((void)lowpass(nan, 1, kRate), InvalidArgument);
  EXPECT_THROW((void)lowpass(1000, nan, kRate), InvalidArgument);
  EXPECT_THROW((void)lowpass(1000, 1, nan), InvalidArgument);
  EXPECT_THROW((void)low_shelf(1000, 1, nan, kRate), InvalidArgument);
  EXPECT_THROW((void)high_shelf(1000, std::numeric_limits<double>::infinity(), 3, kRate), InvalidArgument);
  EXPECT_THROW((void)lowpass(1000, 1e300, kRate), InvalidArgument) << "its poles would be on the circle";
  EXPECT_THROW((void)q_of_bandwidth(0, 1000, kRate), InvalidArgument);
  EXPECT_THROW((void)q_of_slope(1.5, 6), InvalidArgument);
  EXPECT_THROW((void)one_pole_lowpass(24000, kRate), InvalidArgument);
  EXPECT_THROW((void)one_pole_highpass(nan, kRate), InvalidArgument);
  EXPECT_THROW((void)dc_blocker(0), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
