// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/power_spectrum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

std::vector<float> cosine(double amplitude, double cycles, int size) {
  std::vector<float> samples(static_cast<std::size_t>(size));
  for (std::size_t n = 0; n < samples.size(); ++n)
    samples[n] = static_cast<float>(amplitude *
                                    std::cos(2 * std::numbers::pi * cycles * static_cast<double>(n) / size));
  return samples;
}

TEST(PowerSpectrum, ASineHasItsSquaredAmplitudeWhateverTheWindow) {
  using Shape = Window::Shape;
  for (const Shape shape :
       {Shape::rectangular, Shape::hann, Shape::hamming, Shape::blackman, Shape::kaiser}) {
    PowerSpectrum spectrum({.shape = shape}, 1024);
    const auto samples = cosine(0.5, 100, 1024);
    const auto powers = spectrum.of(samples, {});
    ASSERT_EQ(powers.size(), 513U);
    EXPECT_NEAR(powers[100], 0.25, 1e-5);
    const double sum = std::accumulate(powers.begin(), powers.end(), 0.0);
    EXPECT_NEAR(sum / spectrum.noise_bandwidth_bins(), 0.25, 1e-4) << "the sum over the bins";
  }
}

TEST(PowerSpectrum, AConstantAndTheHighestFrequencyAreNotDoubled) {
  PowerSpectrum spectrum({}, 64);
  EXPECT_NEAR(spectrum.of(cosine(1, 0, 64), {}).front(), 1, 1e-5);
  EXPECT_NEAR(spectrum.of(cosine(1, 32, 64), {}).back(), 1, 1e-5);
  EXPECT_NEAR(spectrum.noise_bandwidth_bins(), 1.5, 1e-9);
}

TEST(PowerSpectrum, TheSplitDoesNotMatter) {
  PowerSpectrum spectrum({}, 64);
  const auto samples = cosine(1, 5.5, 64);
  const auto whole = spectrum.of(samples, {});
  const std::vector<float> expected(whole.begin(), whole.end());
  for (const std::size_t split : {1U, 17U, 64U}) {
    const auto powers = spectrum.of(std::span(samples).first(split), std::span(samples).subspan(split));
    EXPECT_TRUE(std::equal(powers.begin(), powers.end(), expected.begin())) << split;
  }
}

TEST(PowerSpectrum, TheLoudestSampleStaysFinite) {
  PowerSpectrum spectrum({.shape = Window::Shape::rectangular}, 4096);
  std::uint64_t nonfinite = 0;
  std::vector<float> samples(4096, PowerSpectrum::tamed(std::numeric_limits<float>::max(), nonfinite));
  EXPECT_EQ(nonfinite, 0U);
  for (const float power : spectrum.of(samples, {})) EXPECT_TRUE(std::isfinite(power));
  EXPECT_EQ(PowerSpectrum::tamed(std::numeric_limits<float>::quiet_NaN(), nonfinite), 0.0F);
  EXPECT_EQ(PowerSpectrum::tamed(-std::numeric_limits<float>::infinity(), nonfinite), 0.0F);
  EXPECT_EQ(nonfinite, 2U);
}

TEST(PowerSpectrum, MorePointsThanSamplesAreBinsThatLieCloser) {
  PowerSpectrum plain({}, 1024);
  PowerSpectrum closer({}, 1024, 2048);
  ASSERT_EQ(closer.size(), 1024);
  ASSERT_EQ(closer.bin_count(), 1025);
  const auto samples = cosine(1, 100.5, 1024);
  const auto powers = plain.of(samples, {});
  const auto more = closer.of(samples, {});
  for (std::size_t bin = 0; bin < powers.size(); ++bin) EXPECT_NEAR(more[2 * bin], powers[bin], 1e-6) << bin;
  EXPECT_NEAR(10 * std::log10(powers[100]), -1.42, 0.01) << "half of it lies in the next bin";
  EXPECT_NEAR(more[201], 1, 1e-4);
  const double sum = std::accumulate(more.begin(), more.end(), 0.0);
  EXPECT_NEAR(sum / closer.noise_bandwidth_bins(), 1, 1e-3);
}

TEST(PowerSpectrum, RefusesASizeThatCannotBe) {
  for (const int size : {-2, 0, 14, 17, (1 << 20) + 2})
    EXPECT_THROW(PowerSpectrum({}, size), InvalidArgument) << size;
  for (const int points : {0, 62, 127, (1 << 20) + 2})
    EXPECT_THROW(PowerSpectrum({}, 64, points), InvalidArgument) << points;
}

}  // namespace
}  // namespace ringwave::dsp
