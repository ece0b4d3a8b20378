// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/svf_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace ringwave::synth {
namespace {

constexpr double kRateHz = 48000;

struct Levels {
  double low_db;
  double band_db;
  double high_db;
};

/// Of a sine, after everything has settled.
Levels levels_at(double hz, double cutoff_hz, double q) {
  const SvfRule::Constants c{SvfRule::g_of(static_cast<float>(cutoff_hz / kRateHz)),
                             static_cast<float>(1 / q)};
  SvfRule::State state;
  double low = 0;
  double band = 0;
  double high = 0;
  constexpr int kSettled = 20000;
  constexpr int kFrames = 48000;
  for (int n = 0; n < kSettled + kFrames; ++n) {
    const auto x = static_cast<float>(std::sin(2 * std::numbers::pi * hz * n / kRateHz));
    const auto y = SvfRule::step(c, state, x);
    if (n < kSettled) continue;
    low += std::pow(static_cast<double>(y.low), 2);
    band += std::pow(static_cast<double>(y.band), 2);
    high += std::pow(static_cast<double>(y.high), 2);
  }
  const auto db = [](double sum) { return 10 * std::log10(2 * sum / kFrames); };
  return {db(low), db(band), db(high)};
}

TEST(Svf, IsThreeDecibelsDownAtItsCutoff) {
  for (const double cutoff_hz : {50.0, 1000.0, 8000.0, 20000.0}) {
    const Levels at = levels_at(cutoff_hz, cutoff_hz, std::numbers::sqrt2 / 2);
    EXPECT_NEAR(at.low_db, -3.01, 0.02) << cutoff_hz;
    EXPECT_NEAR(at.high_db, -3.01, 0.02) << cutoff_hz;
    EXPECT_NEAR(at.band_db, -3.01, 0.02) << cutoff_hz << ": Q itself";
  }
}

TEST(Svf, FallsByTwelveDecibelsAnOctave) {
  const Levels below = levels_at(125, 1000, 0.7071);
  const Levels above = levels_at(4000, 1000, 0.7071);
  EXPECT_NEAR(below.low_db, 0, 0.01);
  EXPECT_NEAR(below.high_db, -36.1, 0.3);
  EXPECT_NEAR(above.low_db, -24.3, 1.0);  // the bilinear rule pulls the end of the band down
  EXPECT_NEAR(above.high_db, 0, 0.1);
}

TEST(Svf, ResonanceIsQ) {
  for (const double q : {1.0, 5.0, 25.0})
    EXPECT_NEAR(levels_at(1000, 1000, q).low_db, 20 * std::log10(q), 0.05) << q;
}

TEST(Svf, StaysBoundedHoweverTheCutoffJumps) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(0, 0.49F);
  SvfRule::State state;
  float most = 0;
  for (int n = 0; n < 200'000; ++n) {
    const SvfRule::Constants c{SvfRule::g_of(uniform(random)), 0.2F};
    const auto y = SvfRule::step(c, state, n % 97 < 48 ? 1.0F : -1.0F);
    most = std::max({most, std::abs(y.low), std::abs(y.band), std::abs(y.high)});
  }
  EXPECT_LT(most, 30);
  for (int n = 0; n < 48000; ++n) (void)SvfRule::step({0.1F, 0.2F}, state, 0);
  EXPECT_LT(std::abs(state.first) + std::abs(state.second), 1e-6F) << "it forgets";
}

TEST(Svf, CutoffsBeyondTheBandAreItsEnds) {
  EXPECT_EQ(SvfRule::g_of(-1), 0);
  EXPECT_EQ(SvfRule::g_of(3), SvfRule::g_of(0.49F));
  for (const float cutoff : {0.0001F, 0.01F, 0.25F, 0.4F, 0.49F})
    EXPECT_NEAR(
        static_cast<double>(SvfRule::g_of(cutoff)) / std::tan(std::numbers::pi * static_cast<double>(cutoff)),
        1, 2e-5)
        << cutoff;
}

}  // namespace
}  // namespace ringwave::synth
