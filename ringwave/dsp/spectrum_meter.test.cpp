// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/spectrum_meter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <thread>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

std::vector<float> sine(double amplitude, double hz, int frames) {
  std::vector<float> samples(static_cast<std::size_t>(frames));
  for (std::size_t n = 0; n < samples.size(); ++n)
    samples[n] =
        static_cast<float>(amplitude * std::sin(2 * std::numbers::pi * hz * static_cast<double>(n) / 48000));
  return samples;
}

std::vector<float> white_noise(double deviation, int frames) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal(0, static_cast<float>(deviation));
  std::vector<float> samples(static_cast<std::size_t>(frames));
  for (float& sample : samples) sample = normal(random);
  return samples;
}

void feed(SpectrumMeter& meter, std::span<const float> samples) {
  ASSERT_EQ(meter.process(samples), Status::ok);
  ASSERT_TRUE(meter.update());
}

auto loudest(std::span<const float> levels) {
  return std::ranges::max_element(levels) - levels.begin();
}

TEST(SpectrumMeter, AToneReadsItsLevelInItsBinAndItsBand) {
  for (const double level_db : {0.0, -20.0, -60.0}) {
    SpectrumMeter meter({.channels = 1, .size = 4800});  // bins of 10 Hz
    feed(meter, sine(std::pow(10, level_db / 20), 1000, 5 * 48000));
    EXPECT_EQ(loudest(meter.bin_levels_db(0)), 100);
    EXPECT_DOUBLE_EQ(meter.bin_hz(100), 1000);
    EXPECT_NEAR(meter.bin_levels_db(0)[100], level_db, 0.1);
    EXPECT_EQ(loudest(meter.band_levels_db(0)), 17) << "the band of 1 kHz";
    EXPECT_NEAR(meter.band_levels_db(0)[17], level_db, 0.1);
    EXPECT_NEAR(meter.band_peaks_db(0)[17], level_db, 0.1);
    EXPECT_LT(meter.band_levels_db(0)[10], level_db - 60) << "200 Hz";
  }
}

TEST(SpectrumMeter, BetweenTwoBinsTheBandIsStillRight) {
  SpectrumMeter meter({.channels = 1, .size = 4800});
  feed(meter, sine(1, 1005, 5 * 48000));
  EXPECT_NEAR(meter.bin_levels_db(0)[100], -1.42, 0.1);
  EXPECT_NEAR(meter.bin_levels_db(0)[101], -1.42, 0.1);
  EXPECT_NEAR(meter.band_levels_db(0)[17], 0, 0.1);
}

TEST(SpectrumMeter, WhiteNoiseIsFlatInItsBinsAndRisesByADecibelAThirdOctave) {
  SpectrumMeter meter({.channels = 1, .size = 4096, .averaging_s = 100});
  feed(meter, white_noise(0.1, 60 * 48000));
  // An average over a rising exponential: what is missing after 60 s of 100 s.
  const double reached_db = 10 * std::log10(1 - std::exp(-0.6));
  const double bin_db = 10 * std::log10(2 * 0.01 * 1.5 * 2 / 4096) + reached_db;
  const auto bins = meter.bin_levels_db(0);
  double worst = 0;
  for (std::size_t k = 8; k + 8 < bins.size(); ++k)
    worst = std::max(worst, std::abs(static_cast<double>(bins[k]) - bin_db));
  EXPECT_LT(worst, 1.2) << "about 1000 independent frames: 0.14 dB deviation, 2000 bins";
  const auto bands = meter.band_levels_db(0);
  for (std::size_t band = 14; band <= 29; ++band) EXPECT_NEAR(bands[band] - bands[band - 1], 1, 0.3) << band;
}

TEST(SpectrumMeter, AllBandsTogetherHaveThePowerOfTheNoise) {
  SpectrumMeter meter({.channels = 1, .bands = {{0, 12000, 24000}}, .averaging_s = 2});
  feed(meter, white_noise(0.1, 20 * 48000));
  EXPECT_NEAR(meter.band_levels_db(0)[0], 10 * std::log10(2 * 0.01), 0.15);
}

TEST(SpectrumMeter, SilenceReadsTheFloor) {
  SpectrumMeter meter({.channels = 1});
  EXPECT_FALSE(meter.update()) << "nothing yet";
  EXPECT_EQ(meter.bin_levels_db(0)[5], SpectrumMeter::kFloorDb);
  feed(meter, std::vector<float>(48000));
  for (const float level : meter.bin_levels_db(0)) EXPECT_EQ(level, SpectrumMeter::kFloorDb);
  for (const float level : meter.band_peaks_db(0)) EXPECT_EQ(level, SpectrumMeter::kFloorDb);
}

TEST(SpectrumMeter, TheCutIntoBlocksDoesNotMatter) {
  const auto samples = white_noise(0.2, 24000);
  SpectrumMeter whole({.channels = 1, .size = 1024, .hop = 300});
  feed(whole, samples);
  for (const std::size_t block : {1U, 64U, 480U}) {
    SpectrumMeter cut({.channels = 1, .size = 1024, .hop = 300});
    for (std::size_t begin = 0; begin < samples.size(); begin += block)
      ASSERT_EQ(cut.process(std::span(samples).subspan(begin, block)), Status::ok);
    ASSERT_TRUE(cut.update());
    EXPECT_TRUE(std::ranges::equal(cut.bin_levels_db(0), whole.bin_levels_db(0))) << block;
    EXPECT_TRUE(std::ranges::equal(cut.band_peaks_db(0), whole.band_peaks_db(0))) << block;
  }
}

TEST(SpectrumMeter, TheAverageHasItsTimeConstant) {
  SpectrumMeter meter({.channels = 1, .size = 480, .hop = 480, .averaging_s = 0.5});
  feed(meter, sine(1, 1000, 24000));
  EXPECT_NEAR(meter.bin_levels_db(0)[10], 10 * std::log10(1 - std::exp(-1.0)), 0.01);
}

TEST(SpectrumMeter, APeakStandsAndThenFallsAsFastAsItIsTold) {
  SpectrumMeter meter({.channels = 1, .size = 480, .hop = 480, .hold_s = 0.5, .fall_db_per_s = 20});
  feed(meter, sine(1, 1000, 480));
  feed(meter, std::vector<float>(24000));
  EXPECT_NEAR(meter.bin_peaks_db(0)[10], 0, 0.01) << "half a second";
  feed(meter, std::vector<float>(48000));
  EXPECT_NEAR(meter.bin_peaks_db(0)[10], -20, 0.01) << "and a second more";
}

TEST(SpectrumMeter, ChannelsDoNotMixAndANaNIsSilenceAndCounted) {
  SpectrumMeter meter({.channels = 2, .size = 4800});
  std::vector<float> block(2 * 48000, 0.0F);
  const auto tone = sine(0.5, 1000, 48000);
  std::ranges::copy(tone, block.begin() + 48000);
  block[100] = std::numeric_limits<float>::quiet_NaN();
  block[200] = -std::numeric_limits<float>::infinity();
  block[50000] = std::numeric_limits<float>::quiet_NaN();
  ASSERT_EQ(meter.process({block.data(), 2, 48000}), Status::ok);
  ASSERT_TRUE(meter.update());
  EXPECT_EQ(meter.nonfinite_samples(), 3U);
  EXPECT_EQ(meter.bin_levels_db(0)[100], SpectrumMeter::kFloorDb);
  EXPECT_NEAR(meter.bin_levels_db(1)[100], -6.02, 0.3) << "the average of the first second";
}

TEST(SpectrumMeter, TheLargestFloatLeavesNoInfinity) {
  SpectrumMeter meter({.channels = 1});
  feed(meter, std::vector<float>(8192, std::numeric_limits<float>::max()));
  for (const float level : meter.bin_levels_db(0)) EXPECT_TRUE(std::isfinite(level));
}

TEST(SpectrumMeter, ResetForgetsAndAWrongShapeIsRefused) {
  SpectrumMeter meter({.channels = 1});
  feed(meter, sine(0.5, 1000, 48000));
  const std::vector<float> two(64);
  EXPECT_EQ(meter.process({two.data(), 2, 32}), Status::wrong_shape);
  meter.reset();
  ASSERT_TRUE(meter.update());
  for (const float level : meter.bin_peaks_db(0)) EXPECT_EQ(level, SpectrumMeter::kFloorDb);
  EXPECT_TRUE(meter.bin_levels_db(1).empty()) << "a channel that is not there";
  EXPECT_TRUE(meter.band_levels_db(-1).empty());
}

TEST(SpectrumMeter, AnotherThreadReadsWholeSpectra) {
  SpectrumMeter meter({.channels = 1, .size = 64, .hop = 64, .bands = {}, .averaging_s = 0});
  std::atomic<bool> done = false;
  std::thread audio([&] {
    std::vector<float> block(64);
    for (int i = 0; i < 20000; ++i) {
      std::ranges::fill(block, i % 2 == 0 ? 1.0F : 0.5F);
      (void)meter.process(std::span<const float>(block));
    }
    done = true;
  });
  int torn = 0;
  while (!done)
    if (meter.update()) {
      // Of a constant, bin 1 has half the amplitude of bin 0 under this window, and stands for two of them.
      const auto levels = meter.bin_levels_db(0);
      torn += std::abs(levels[1] - levels[0]) > 0.01F ? 1 : 0;
    }
  audio.join();
  EXPECT_EQ(torn, 0);
  (void)meter.update();
  EXPECT_NEAR(meter.bin_levels_db(0)[0], -6.02, 0.01);
}

TEST(SpectrumMeter, ABandBeyondTheSpectrumReadsTheFloor) {
  SpectrumMeter meter({.channels = 1, .sample_rate_hz = 8000});
  feed(meter, white_noise(0.1, 8000));
  EXPECT_EQ(meter.band_levels_db(0)[30], SpectrumMeter::kFloorDb) << "20 kHz at a rate of 8 kHz";
  EXPECT_GT(meter.band_levels_db(0)[17], -60);
}

TEST(SpectrumMeter, RefusesASpecThatCannotWork) {
  EXPECT_THROW(SpectrumMeter({.channels = 0}), InvalidArgument);
  EXPECT_THROW(SpectrumMeter({.sample_rate_hz = 0}), InvalidArgument);
  EXPECT_THROW(SpectrumMeter({.size = 0}), InvalidArgument);
  EXPECT_THROW(SpectrumMeter({.size = 1023}), InvalidArgument);
  EXPECT_THROW(SpectrumMeter({.size = 1024, .hop = 1025}), InvalidArgument);
  EXPECT_THROW(SpectrumMeter({.bands = {{200, 150, 100}}}), InvalidArgument);
  EXPECT_THROW(SpectrumMeter({.averaging_s = -1}), InvalidArgument);
  EXPECT_THROW(SpectrumMeter({.fall_db_per_s = std::numeric_limits<double>::quiet_NaN()}), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
