// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/graphic_eq.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// How far the response is from what was asked, at the worst centre.
double worst_error(const GraphicEq& eq, int bands) {
  double worst = 0;
  for (int band = 0; band < bands; ++band)
    worst = std::fmax(worst, std::abs(eq.response_db(eq.center_hz(band)) - eq.gain_db(band)));
  return worst;
}

TEST(GraphicEq, HasTheAskedGainAtEveryCentre) {
  std::mt19937 random(1);
  for (const int bands : {2, 5, 10, 15, 31})
    for (const double rate : {44100.0, 48000.0, 192000.0}) {
      GraphicEq eq(Device::cpu(), {.sample_rate_hz = rate, .bands = bands});
      for (int round = 0; round < 50; ++round) {
        std::vector<double> gains;
        for (int band = 0; band < bands; ++band)
          gains.push_back(std::uniform_real_distribution<double>(-12, 12)(random));
        ASSERT_TRUE(eq.set_gains_db(gains));
        EXPECT_LT(worst_error(eq, bands), 0.1) << bands << " bands at " << rate << ", round " << round;
      }
    }
}

TEST(GraphicEq, IsExactForGentleSettings) {
  for (const int bands : {5, 10, 31}) {
    GraphicEq eq(Device::cpu(), {.bands = bands});
    for (int band = 0; band < bands; ++band)
      ASSERT_TRUE(eq.set_gain_db(band, 6 * std::sin(2.0 * std::numbers::pi * band / (bands - 1.0))));
    EXPECT_LT(worst_error(eq, bands), 0.01);
  }
}

TEST(GraphicEq, TheWorstSettingsStayNear) {
  for (const int bands : {5, 10, 31}) {
    GraphicEq eq(Device::cpu(), {.bands = bands});
    std::vector<double> zigzag, cliff, flat(static_cast<std::size_t>(bands), 12.0);
    for (int band = 0; band < bands; ++band) {
      zigzag.push_back(band % 2 == 0 ? 12 : -12);
      cliff.push_back(band < bands / 2 ? 12 : -12);
    }
    for (const auto& gains : {zigzag, cliff, flat}) {
      ASSERT_TRUE(eq.set_gains_db(gains));
      EXPECT_LT(worst_error(eq, bands), 0.1) << bands << " bands from " << gains[0] << " to " << gains[1];
    }
  }
}

/// How far the response strays from one gain of all bands between the first and the last, in shares of it.
double worst_share(int bands, double rate, double gain) {
  GraphicEq eq(Device::cpu(), {.sample_rate_hz = rate, .bands = bands});
  EXPECT_TRUE(eq.set_gains_db(std::vector<double>(static_cast<std::size_t>(bands), gain)));
  double worst = 0;
  for (double hz = eq.center_hz(0); hz < eq.center_hz(bands - 1); hz *= 1.01)
    worst = std::fmax(worst, std::abs(eq.response_db(hz) / gain - 1));
  return worst;
}

TEST(GraphicEq, BetweenEqualBandsTheCurveStaysNear) {
  for (const int bands : {10, 15, 31})  // an octave apart, and less
    for (const double rate : {44100.0, 48000.0, 192000.0}) {
      for (const double gain : {-12.0, -6.0, -1.0, 1.0, 6.0, 12.0})
        EXPECT_LT(worst_share(bands, rate, gain), 1 / 20.0)
            << bands << " bands at " << rate << ", " << gain << " dB";
      for (const double gain : {-24.0, -18.0, 18.0, 24.0})
        EXPECT_LT(worst_share(bands, rate, gain), 1 / 15.0)
            << bands << " bands at " << rate << ", " << gain << " dB";
    }
}

TEST(GraphicEq, IsFlatAtFirstAndFiltersAsItSays) {
  constexpr int kRate = 48000;
  GraphicEq eq(Device::cpu(), {});
  for (double hz = 20; hz < 20000; hz *= 1.3) EXPECT_EQ(eq.response_db(hz), 0) << hz;
  ASSERT_TRUE(eq.set_gain_db(5, -9));
  std::vector<float> signal(kRate);
  for (std::size_t n = 0; n < kRate; ++n)
    signal[n] =
        static_cast<float>(std::sin(2 * std::numbers::pi * eq.center_hz(5) * static_cast<double>(n) / kRate));
  const BlockView<float> all(signal);
  for (int done = 0; done < kRate; done += 480)
    ASSERT_EQ(eq.process(all.slice(done, 480), all.slice(done, 480)), Status::ok);
  double energy = 0;
  for (std::size_t n = kRate / 2; n < kRate; ++n)
    energy += static_cast<double>(signal[n]) * static_cast<double>(signal[n]);
  EXPECT_NEAR(10 * std::log10(energy / (kRate / 4.0)), -9, 0.05);
}

TEST(GraphicEq, RefusesWhatIsOutOfRange) {
  EXPECT_THAT([] { GraphicEq(Device::cpu(), {.bands = 1}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("1 bands")));
  EXPECT_THROW(GraphicEq(Device::cpu(), {.bands = 32}), InvalidArgument);
  EXPECT_THROW(GraphicEq(Device::cpu(), {.highest_hz = 24000}), InvalidArgument);
  EXPECT_THROW(GraphicEq(Device::cpu(), {.lowest_hz = 20000}), InvalidArgument);
  EXPECT_THROW(GraphicEq(Device::cpu(), {.lowest_hz = std::numeric_limits<double>::quiet_NaN()}),
               InvalidArgument);
  GraphicEq eq(Device::cpu(), {});
  EXPECT_FALSE(eq.set_gain_db(10, 0));
  EXPECT_FALSE(eq.set_gain_db(-1, 0));
  EXPECT_FALSE(eq.set_gain_db(0, 25));
  EXPECT_FALSE(eq.set_gain_db(0, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(eq.set_gains_db(std::vector<double>(9)));
  EXPECT_EQ(eq.gain_db(0), 0);
}

}  // namespace
}  // namespace ringwave::dsp
