// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/limiter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/dsp/biquad.hpp"
#include "ringwave/dsp/butterworth.hpp"

namespace ringwave::dsp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int kRate = 48000;

/// Another measure of the true peak than the limiter's: 16 points a sample, by a Hann-windowed sinc of 128
/// taps in double. In dB of full scale.
double true_peak_db(const std::vector<float>& signal) {
  constexpr int kHalf = 64;
  double peak = 0;
  for (int phase = 0; phase < 16; ++phase) {
    std::vector<double> taps;
    for (int i = -kHalf + 1; i <= kHalf; ++i) {
      const double away = i - phase / 16.0;
      const double window = std::pow(std::cos(std::numbers::pi / 2 * away / kHalf), 2);
      taps.push_back(away == 0 ? 1 : std::sin(std::numbers::pi * away) / (std::numbers::pi * away) * window);
    }
    for (std::size_t n = 0; n + taps.size() < signal.size(); ++n) {
      double sum = 0;
      for (std::size_t k = 0; k < taps.size(); ++k) sum += taps[k] * static_cast<double>(signal[n + k]);
      peak = std::fmax(peak, std::abs(sum));
    }
  }
  return 20 * std::log10(peak);
}

/// It fades in over 10 ms: a sine that begins at once is not a signal of one frequency.
std::vector<float> sine(double hz, double phase, float level, int frames) {
  std::vector<float> made;
  for (int n = 0; n < frames; ++n) {
    const double fade = n < 480 ? 0.5 - 0.5 * std::cos(std::numbers::pi * n / 480) : 1;
    made.push_back(level *
                   static_cast<float>(fade * std::sin(2 * std::numbers::pi * (hz * n / kRate + phase))));
  }
  return made;
}

class LimiterOn : public testing::TestWithParam<Device> {
 protected:
  static std::vector<float> limited(std::vector<float> signal, const Limiter::Settings& settings = {}) {
    Limiter limiter(GetParam(), {.max_block_frames = 480, .settings = settings});
    const BlockView<float> all(signal);
    for (int done = 0; done < all.frames(); done += 480) {
      const auto block = all.slice(done, std::min(480, all.frames() - done));
      EXPECT_EQ(limiter.process(block, block), Status::ok);
    }
    return signal;
  }
};

TEST_P(LimiterOn, ASinesTruePeakStaysBelowTheCeiling) {
  for (const double hz : {50.0, 997.0, 6000.0, 11999.0, 12000.0, 16000.0, 20000.0, 21600.0})
    for (const double phase : {0.0, 0.125, 0.3}) {
      const double peak = true_peak_db(limited(sine(hz, phase, 4.0F, 4000)));
      EXPECT_LE(peak, -1 + 0.1) << hz << " Hz from phase " << phase;
      EXPECT_GE(peak, -1 - 0.5) << "and no lower than it must: " << hz << " Hz from phase " << phase;
    }
}

TEST_P(LimiterOn, AProgrammesTruePeakStaysBelowTheCeiling) {
  // Noise up to 18 kHz with bursts of 20 dB: what comes between samples is louder than they are.
  std::mt19937 random(5);
  std::normal_distribution<float> normal(0, 0.3F);
  std::vector<float> noise(20000);
  for (std::size_t n = 0; n < noise.size(); ++n)
    noise[n] = normal(random) * (n / 1500 % 3 == 1 ? 10.0F : 1.0F);
  Biquad band(Device::cpu(), {.max_block_frames = 20000}, butterworth_lowpass(16, 18000, kRate));
  ASSERT_EQ(band.process(BlockView<float>(noise), BlockView<float>(noise)), Status::ok);
  for (const double ceiling : {-1.0, -12.0})
    EXPECT_LE(true_peak_db(limited(noise, {.ceiling_db = ceiling})), ceiling + 0.1);
}

TEST_P(LimiterOn, WhatIsSoftEnoughIsOnlyDelayed) {
  Limiter limiter(GetParam(), {.max_block_frames = 4800});
  const std::vector<float> in = sine(1000, 0, 0.85F, 4800);
  std::vector<float> out = in;
  ASSERT_EQ(limiter.process(BlockView<float>(out), BlockView<float>(out)), Status::ok);
  const auto latency = static_cast<std::size_t>(limiter.latency_frames());
  EXPECT_EQ(latency, 72U - 1 + 16) << "1.5 ms and the reach of the interpolation";
  EXPECT_EQ(std::count(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(latency), 0.0F),
            static_cast<std::ptrdiff_t>(latency));
  EXPECT_TRUE(std::equal(out.begin() + static_cast<std::ptrdiff_t>(latency), out.end(), in.begin()));
}

TEST_P(LimiterOn, GoesDownBeforeThePeakAndComesBackAfterIt) {
  std::vector<float> signal = sine(100, 0, 0.5F, 2 * kRate);
  signal[kRate / 2] = 8;
  const std::vector<float> out = limited(signal, {.ceiling_db = -1, .release_ms = 50});
  EXPECT_LE(*std::ranges::max_element(out), 0.8913F * 1.0116F);
  for (std::size_t n = 2 * kRate - 4800; n < 2 * kRate; ++n)
    ASSERT_NEAR(out[n], signal[n - 87], 1e-5F) << "all is let go of after 30 time constants";
}

TEST_P(LimiterOn, TakesANaNAsSilenceAndRecovers) {
  std::vector<float> signal = sine(440, 0, 0.5F, 4800);
  const std::vector<float> clean = limited(signal);
  signal[1000] = std::numeric_limits<float>::quiet_NaN();
  signal[1001] = std::numeric_limits<float>::infinity();
  const std::vector<float> out = limited(signal);
  EXPECT_TRUE(std::ranges::all_of(out, [](float sample) { return std::isfinite(sample); }));
  EXPECT_TRUE(std::equal(out.begin() + 1200, out.end(), clean.begin() + 1200));
}

INSTANTIATE_TEST_SUITE_P(Devices, LimiterOn, testing::ValuesIn(Device::all()), [](const auto& test) {
  std::string name = test.param.name();
  std::ranges::replace(name, ':', '_');
  return name;
});

TEST(Limiter, RefusesASpecThatCannotWork) {
  EXPECT_THAT([] { Limiter(Device::cpu(), {.settings = {.ceiling_db = 1}}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("ceiling of 1")));
  EXPECT_THAT([] { Limiter(Device::cpu(), {.lookahead_ms = 0.1}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("at least 16 frames")));
  EXPECT_THROW(Limiter(Device::cpu(), {.lookahead_ms = std::numeric_limits<double>::quiet_NaN()}),
               InvalidArgument);
  EXPECT_THROW(Limiter(Device::cpu(), {.sample_rate_hz = 0}), InvalidArgument);
  Limiter limiter(Device::cpu(), {});
  EXPECT_FALSE(limiter.set({.release_ms = 0}));
  EXPECT_TRUE(limiter.set({.ceiling_db = -3}));
}

}  // namespace
}  // namespace ringwave::dsp
