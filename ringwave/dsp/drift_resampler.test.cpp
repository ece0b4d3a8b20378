// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/drift_resampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

constexpr double kRateHz = 48000;

double sine(double hz, double frame) {
  return 0.5 * std::sin(2 * std::numbers::pi * hz / kRateHz * frame);
}

/// `count` frames of a sine through it, in blocks of that many.
std::vector<float> played(DriftResampler& resampler, double hz, int count, int block, std::int64_t& taken) {
  std::vector<float> out;
  std::vector<float> in;
  std::vector<float> made(static_cast<std::size_t>(block));
  while (static_cast<int>(out.size()) < count) {
    in.resize(static_cast<std::size_t>(resampler.needed(block)));
    for (float& sample : in) sample = static_cast<float>(sine(hz, static_cast<double>(taken++)));
    EXPECT_EQ(resampler.process(std::span(in), std::span(made)), Status::ok);
    out.insert(out.end(), made.begin(), made.end());
  }
  out.resize(static_cast<std::size_t>(count));
  return out;
}

TEST(DriftResampler, WhatWasNotThereIsAHundredDecibelsDown) {
  for (const double speed : {1.0, 1.0002, 0.9998, 1.005, 0.995, 1.001234})
    for (const double hz : {50.0, 997.0, 5000.0, 12345.0, 19900.0}) {
      DriftResampler resampler({.channels = 1, .max_block_frames = 256});
      resampler.set_speed(speed);
      std::int64_t taken = 0;
      const auto out = played(resampler, hz, 20000, 256, taken);
      // The place of every output, as the header has it: the glide, then the speed.
      double place = -DriftResampler::latency_frames();
      double worst = 0;
      for (std::size_t m = 0; m < out.size(); ++m) {
        if (m > 1000) worst = std::max(worst, std::abs(static_cast<double>(out[m]) - sine(hz, place)));
        const double glided = std::min(1.0, static_cast<double>(m) / DriftResampler::kGlideFrames);
        place += 1 + (speed - 1) * glided;
      }
      EXPECT_LT(20 * std::log10(worst / 0.5), -100) << hz << " Hz at " << speed;
    }
}

TEST(DriftResampler, AtItsOwnSpeedItIsADelay) {
  DriftResampler resampler({.channels = 1, .max_block_frames = 100});
  std::vector<float> in(100);
  std::vector<float> out(100);
  in[10] = 1;
  ASSERT_EQ(resampler.needed(100), 100);
  ASSERT_EQ(resampler.process(std::span(in), std::span(out)), Status::ok);
  for (std::size_t n = 0; n < out.size(); ++n)
    EXPECT_NEAR(out[n], n == 10U + DriftResampler::latency_frames() ? 1 : 0, 1e-6) << n;
}

TEST(DriftResampler, BlocksOfAnySizeGiveTheSameSamples) {
  const auto run = [](int block) {
    DriftResampler resampler({.channels = 1, .max_block_frames = 480});
    resampler.set_speed(1.003);
    std::int64_t taken = 0;
    return played(resampler, 997, 4800, block, taken);
  };
  const auto whole = run(480);
  EXPECT_TRUE(run(1) == whole);
  EXPECT_TRUE(run(64) == whole);
}

TEST(DriftResampler, TakesAsMuchAsTheSpeedSays) {
  DriftResampler resampler({.channels = 1, .max_block_frames = 480});
  resampler.set_speed(1.005);
  std::int64_t taken = 0;
  (void)played(resampler, 100, 480'000, 480, taken);
  EXPECT_NEAR(static_cast<double>(taken), 480'000 * 1.005, 5);
  resampler.set_speed(7);
  EXPECT_EQ(resampler.speed(), 1.005);
  resampler.set_speed(-7);
  EXPECT_EQ(resampler.speed(), 0.995);
  resampler.set_speed(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(resampler.speed(), 0.995);
}

TEST(DriftResampler, AChangeOfTheSpeedDoesNotClick) {
  DriftResampler resampler({.channels = 1, .max_block_frames = 64});
  std::int64_t taken = 0;
  float last = 0;
  for (int i = 0; i < 200; ++i) {
    resampler.set_speed(i % 2 == 0 ? 1.005 : 0.995);
    for (const float sample : played(resampler, 1000, 64, 64, taken)) {
      // The steepest of a sine of that level, half a percent faster.
      ASSERT_LE(std::abs(sample - last), 0.5 * 2 * std::numbers::pi * 1000 / kRateHz * 1.006);
      last = sample;
    }
  }
}

TEST(DriftResampler, ANaNIsGoneAfterItsTaps) {
  DriftResampler resampler({.channels = 2, .max_block_frames = 256});
  std::vector<float> in(512, 0.25F);
  std::vector<float> out(512);
  in[100] = std::numeric_limits<float>::quiet_NaN();
  ASSERT_EQ(resampler.process({in.data(), 2, 256}, {out.data(), 2, 256}), Status::ok);
  for (std::size_t n = 0; n < 512; ++n)
    EXPECT_EQ(std::isnan(out[n]), n >= 100 && n < 100 + DriftResampler::kTaps) << n;
}

TEST(DriftResampler, RefusesWhatCannotBe) {
  EXPECT_THROW(DriftResampler({.channels = 0}), InvalidArgument);
  EXPECT_THROW(DriftResampler({.range = 0.5}), InvalidArgument);
  EXPECT_THROW(DriftResampler({.range = std::numeric_limits<double>::quiet_NaN()}), InvalidArgument);
  DriftResampler resampler({.channels = 1, .max_block_frames = 64});
  std::vector<float> in(200, 1.0F);
  std::vector<float> out(200, 1.0F);
  EXPECT_EQ(resampler.process(std::span(in), std::span(out)), Status::wrong_shape);
  EXPECT_EQ(out[199], 0);
  EXPECT_EQ(resampler.process(std::span(in).first(63), std::span(out).first(64)), Status::wrong_shape);
  EXPECT_EQ(resampler.process(std::span(in).first(64), std::span(out).first(64)), Status::ok);
}

}  // namespace
}  // namespace ringwave::dsp
