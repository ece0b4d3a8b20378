// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/level_meter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

std::vector<float> sine(double peak, int frames) {
  std::vector<float> samples(static_cast<std::size_t>(frames));
  for (std::size_t n = 0; n < samples.size(); ++n)
    samples[n] = static_cast<float>(peak * std::sin(2 * std::numbers::pi * static_cast<double>(n) / 48));
  return samples;
}

TEST(LevelMeter, ASineHasItsPeakAndThreeDecibelsLessInTheMean) {
  LevelMeter meter({.channels = 1});
  ASSERT_EQ(meter.process(std::span<const float>(sine(0.5, 480000))), Status::ok);
  EXPECT_NEAR(meter.level(0).peak, 0.5, 0.001) << "it falls by 0.25 % between two peaks at most";
  EXPECT_NEAR(meter.level(0).rms, 0.5 / std::numbers::sqrt2, 0.001);
  EXPECT_EQ(meter.level(0).highest_peak, 0.5F);
}

TEST(LevelMeter, ThePeakFallsAsFastAsItIsTold) {
  LevelMeter meter({.channels = 1, .sample_rate_hz = 48000, .fall_db_per_s = 20});
  std::vector<float> samples(48001, 0.0F);
  samples[0] = -1.0F;
  ASSERT_EQ(meter.process(std::span<const float>(samples)), Status::ok);
  EXPECT_NEAR(meter.level(0).peak, 0.1, 1e-6) << "20 dB in a second";
  EXPECT_EQ(meter.level(0).highest_peak, 1.0F);
}

TEST(LevelMeter, TheMeanHasItsTimeConstant) {
  LevelMeter meter({.channels = 1, .sample_rate_hz = 1000, .integration_s = 0.3});
  const std::vector<float> ones(300, 1.0F);
  ASSERT_EQ(meter.process(std::span<const float>(ones)), Status::ok);
  EXPECT_NEAR(meter.level(0).rms, std::sqrt(1 - std::exp(-1.0)), 1e-6);
}

TEST(LevelMeter, TheCutIntoBlocksDoesNotMatter) {
  const auto samples = sine(0.7, 9600);
  LevelMeter whole({.channels = 1});
  ASSERT_EQ(whole.process(std::span<const float>(samples)), Status::ok);
  for (const std::size_t block : {1U, 64U, 480U}) {
    LevelMeter cut({.channels = 1});
    for (std::size_t begin = 0; begin < samples.size(); begin += block)
      ASSERT_EQ(cut.process(std::span(samples).subspan(begin, block)), Status::ok);
    EXPECT_EQ(cut.level(0).peak, whole.level(0).peak);
    EXPECT_EQ(cut.level(0).rms, whole.level(0).rms);
  }
}

TEST(LevelMeter, ChannelsDoNotMixAndANaNIsPassedOver) {
  LevelMeter meter({.channels = 2});
  std::vector<float> block(200, 0.25F);
  block[50] = std::numeric_limits<float>::quiet_NaN();
  block[60] = std::numeric_limits<float>::infinity();
  block[150] = 0.75F;
  ASSERT_EQ(meter.process({block.data(), 2, 100}), Status::ok);
  EXPECT_EQ(meter.level(0).highest_peak, 0.25F);
  EXPECT_EQ(meter.level(1).highest_peak, 0.75F);
  EXPECT_TRUE(std::isfinite(meter.level(0).rms));
  EXPECT_EQ(meter.nonfinite_samples(), 2U);
}

TEST(LevelMeter, ResetForgetsAndAWrongShapeIsRefused) {
  LevelMeter meter({.channels = 1});
  const auto samples = sine(0.5, 480);
  ASSERT_EQ(meter.process(std::span<const float>(samples)), Status::ok);
  EXPECT_EQ(meter.process({samples.data(), 2, 10}), Status::wrong_shape);
  EXPECT_GT(meter.level(0).rms, 0.0F);
  meter.reset();
  EXPECT_EQ(meter.level(0).peak, 0.0F);
  EXPECT_EQ(meter.level(0).rms, 0.0F);
  EXPECT_EQ(meter.level(0).highest_peak, 0.0F);
  EXPECT_EQ(meter.level(1).peak, 0.0F) << "a channel that is not there";
}

TEST(LevelMeter, RefusesASpecThatCannotWork) {
  EXPECT_THROW(LevelMeter({.channels = 0}), InvalidArgument);
  EXPECT_THROW(LevelMeter({.sample_rate_hz = 0}), InvalidArgument);
  EXPECT_THROW(LevelMeter({.integration_s = 0}), InvalidArgument);
  EXPECT_THROW(LevelMeter({.fall_db_per_s = std::numeric_limits<double>::quiet_NaN()}), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
