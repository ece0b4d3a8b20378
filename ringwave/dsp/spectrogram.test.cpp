// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/spectrogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

constexpr int kRate = 48000;

/// A sine whose frequency walks in a straight line.
std::vector<float> sweep(double amplitude, double from_hz, double to_hz, int frames) {
  std::vector<float> samples(static_cast<std::size_t>(frames));
  for (std::size_t n = 0; n < samples.size(); ++n) {
    const double t = static_cast<double>(n) / kRate;
    const double rise = (to_hz - from_hz) * kRate / frames;
    samples[n] =
        static_cast<float>(amplitude * std::sin(2 * std::numbers::pi * (from_hz * t + rise * t * t / 2)));
  }
  return samples;
}

std::vector<float> noise(int frames) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal(0, 0.1F);
  std::vector<float> samples(static_cast<std::size_t>(frames));
  for (float& sample : samples) sample = normal(random);
  return samples;
}

std::vector<float> picture_of(Spectrogram::Spec spec, std::span<const float> samples,
                              std::size_t block = 480) {
  spec.channels = 1;
  Spectrogram spectrogram(spec);
  for (std::size_t begin = 0; begin < samples.size(); begin += block)
    spectrogram.add(samples.subspan(begin, std::min(block, samples.size() - begin)));
  spectrogram.finish();
  return spectrogram.levels_db();
}

struct Pixel {
  int row;  // from the top
  float level_db;
};

float level_at(const std::vector<float>& levels, int width, int row, int column) {
  const auto index = static_cast<std::ptrdiff_t>(row) * width + column;
  return levels[static_cast<std::size_t>(index)];
}

Pixel brightest(const std::vector<float>& levels, int width, int column) {
  Pixel found{0, -1000};
  for (int row = 0; row < static_cast<int>(levels.size()) / width; ++row)
    if (const float level = level_at(levels, width, row, column); level > found.level_db)
      found = {row, level};
  return found;
}

TEST(Spectrogram, ASweepIsALine) {
  using Scale = FrequencyAxis::Scale;
  const auto samples = sweep(0.5, 1000, 20000, 2 * kRate);
  for (const Scale scale : {Scale::linear, Scale::log, Scale::mel}) {
    const auto levels =
        picture_of({.width = 200, .height = 300, .size = 1024, .hop = 256, .scale = scale}, samples);
    ASSERT_EQ(levels.size(), 200U * 300U);
    const FrequencyAxis axis(scale, kRate);
    for (int column = 2; column < 198; ++column) {
      const double hz = 1000 + 19000 * (column + 0.5) / 200;
      const double bin_hz = 46.9;
      const int row = brightest(levels, 200, column).row;
      const double low = axis.hz_at((299.0 - row) / 300) - 2 * bin_hz;
      const double high = axis.hz_at((300.0 - row) / 300) + 2 * bin_hz;
      EXPECT_TRUE(hz > low && hz < high) << hz << " Hz in the row from " << low << " to " << high;
    }
  }
}

TEST(Spectrogram, AToneOfMinus20IsMinus20EverywhereAndInNoOtherRow) {
  const auto levels =
      picture_of({.width = 50, .height = 129, .size = 4800, .hop = 1200}, sweep(0.1, 1000, 1000, 4 * kRate));
  for (int column = 1; column < 49; ++column) {
    const Pixel pixel = brightest(levels, 50, column);
    EXPECT_NEAR(pixel.level_db, -20, 0.05);
    EXPECT_EQ(pixel.row, 128 - 5) << "rows of 186 Hz";
    EXPECT_LT(level_at(levels, 50, 60, column), -80);
  }
}

TEST(Spectrogram, TheMeanOverTimeIsOfPowers) {
  std::vector<float> samples = sweep(1, 1000, 1000, 20 * kRate);
  std::fill(samples.begin() + 10 * kRate, samples.end(), 0.0F);
  const auto levels = picture_of({.width = 1, .height = 64, .size = 4800, .hop = 1200}, samples);
  EXPECT_NEAR(brightest(levels, 1, 0).level_db, -3.01, 0.05) << "half of the time";
}

/// Every pixel from its own frames, as if the length were known from the beginning; one bin a row.
std::vector<float> picture_with_known_length(const Spectrogram::Spec& spec, std::span<const float> samples) {
  PowerSpectrum spectrum(spec.window, spec.size);
  const auto size = static_cast<std::size_t>(spec.size);
  const auto hop = static_cast<std::size_t>(spec.hop);
  const auto width = static_cast<std::size_t>(spec.width);
  const auto height = static_cast<std::size_t>(spec.height);
  const std::size_t before = (size - hop) / 2;
  std::vector<float> padded(samples.size() + 2 * size);
  std::ranges::copy(samples, padded.begin() + static_cast<std::ptrdiff_t>(before));
  const std::size_t frames = samples.size() / hop;
  std::vector<double> sums(width * height);
  for (std::size_t f = 0; f < frames; ++f) {
    const auto powers = spectrum.of(std::span(padded).subspan(f * hop, size), {});
    for (std::size_t row = 0; row < height; ++row) {
      const float power = row + 1 < height ? powers[row] : std::max(powers[row], powers.back());
      sums[(height - 1 - row) * width + f * width / frames] += static_cast<double>(power);
    }
  }
  std::vector<float> levels(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i)
    levels[i] = static_cast<float>(
        10 * std::log10(sums[i] * static_cast<double>(width) / static_cast<double>(frames)));
  return levels;
}

TEST(Spectrogram, MergedColumnsGiveThePictureOfAKnownLength) {
  // 64 columns of 64 frames, each of them four merged columns: edges lie where they belong, and what is left
  // is the rounding of floats.
  const Spectrogram::Spec spec{.channels = 1, .width = 64, .height = 32, .size = 64, .hop = 32};
  const auto samples = noise(64 * 64 * 32);
  const auto found = picture_of(spec, samples);
  const auto expected = picture_with_known_length(spec, samples);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 0.01) << i;
}

TEST(Spectrogram, EdgesThatFallIntoMergedColumnsCostHalfAPixel) {
  // 64 columns of 53 frames in merged columns of 16: a pixel takes up to a third from its neighbours, which
  // changes noise of 53 independent frames (0.6 dB) by a part of its own scatter.
  const Spectrogram::Spec spec{.channels = 1, .width = 64, .height = 32, .size = 64, .hop = 64};
  const auto samples = noise(64 * 64 * 53);
  const auto found = picture_of(spec, samples);
  const auto expected = picture_with_known_length(spec, samples);
  double square = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double difference = static_cast<double>(found[i] - expected[i]);
    EXPECT_LT(std::abs(difference), 1.5);
    square += difference * difference;
  }
  EXPECT_LT(std::sqrt(square / static_cast<double>(found.size())), 0.4);
}

TEST(Spectrogram, TheCutIntoBlocksDoesNotMatter) {
  const Spectrogram::Spec spec{.width = 16, .height = 20, .size = 256, .hop = 100};
  const auto samples = noise(20001);
  const auto whole = picture_of(spec, samples, samples.size());
  for (const std::size_t block : {1U, 64U, 480U}) EXPECT_EQ(picture_of(spec, samples, block), whole) << block;
}

TEST(Spectrogram, MixAllAndOneShowWhatTheySay) {
  const auto low = sweep(0.5, 1500, 1500, kRate);
  const auto high = sweep(0.5, 9000, 9000, kRate);
  std::vector<float> both(low);
  both.insert(both.end(), high.begin(), high.end());
  const auto rows = [&](Spectrogram::Channels show, int channel = 0) {
    Spectrogram spectrogram(
        {.width = 3, .height = 24, .size = 960, .hop = 240, .show = show, .channel = channel});
    spectrogram.add({both.data(), 2, kRate});
    spectrogram.finish();
    std::vector<Pixel> found;
    found.reserve(2);
    for (int picture = 0; picture < spectrogram.pictures(); ++picture)
      found.push_back(brightest(spectrogram.levels_db(picture), 3, 1));
    return found;
  };
  const auto all = rows(Spectrogram::Channels::all);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].row, 23 - 1) << "rows of 1 kHz";
  EXPECT_EQ(all[1].row, 23 - 9);
  EXPECT_NEAR(all[1].level_db, -6.02, 0.05);
  EXPECT_EQ(rows(Spectrogram::Channels::one, 1)[0].row, 23 - 9);
  EXPECT_NEAR(rows(Spectrogram::Channels::mix)[0].level_db, -12.04, 0.05);
}

// The rest is about an axis by ear, whose rows are narrow below: by default from 20 Hz to 24 kHz.

std::vector<float> sum_of(std::vector<float> a, const std::vector<float>& b) {
  for (std::size_t n = 0; n < a.size(); ++n) a[n] += b[n];
  return a;
}

constexpr Spectrogram::Spec kByEar{.width = 20, .height = 700, .scale = FrequencyAxis::Scale::log};

int row_of(double hz, const Spectrogram::Spec& spec) {
  return spec.height - 1 - static_cast<int>(FrequencyAxis(spec.scale, kRate).position_of(hz) * spec.height);
}

/// The strongest level within a row of that frequency.
float level_near(const std::vector<float>& levels, double hz, const Spectrogram::Spec& spec, int column) {
  float most = Spectrogram::kFloorDb;
  for (int row = row_of(hz, spec) - 1; row <= row_of(hz, spec) + 1; ++row)
    most = std::max(most, level_at(levels, spec.width, row, column));
  return most;
}

TEST(Spectrogram, TwoLowTonesAreTwoLines) {
  using Scale = FrequencyAxis::Scale;
  // A semitone is six rows of the one and three of the other.
  for (const auto& [scale, height] : {std::pair{Scale::log, 700}, {Scale::mel, 2000}})
    for (const auto& [low, high] : {std::pair{55.0, 62.0}, {60.0, 63.6}, {95.0, 101.0}}) {
      Spectrogram::Spec spec = kByEar;
      spec.scale = scale;
      spec.height = height;
      const auto levels =
          picture_of(spec, sum_of(sweep(0.5, low, low, 8 * kRate), sweep(0.5, high, high, 8 * kRate)));
      for (int column = 3; column < 17; ++column) {
        const float line =
            std::min(level_near(levels, low, spec, column), level_near(levels, high, spec, column));
        EXPECT_NEAR(line, -6.02, 1.5) << low << " Hz";
        float between = 0;
        for (int row = row_of(high, spec); row <= row_of(low, spec); ++row)
          between = std::min(between, level_at(levels, 20, row, column));
        EXPECT_LT(between, line - 3) << low << " and " << high << " Hz in column " << column;
      }
    }
}

TEST(Spectrogram, ASineOfFullScaleIs0DecibelsInEveryRow) {
  for (double hz = 40; hz < 20000; hz *= 1.13) {
    const auto levels = picture_of(kByEar, sweep(1, hz, hz, 3 * kRate));
    const Pixel pixel = brightest(levels, 20, 10);
    EXPECT_NEAR(pixel.level_db, 0, 0.5) << hz << " Hz";
    EXPECT_NEAR(pixel.row, row_of(hz, kByEar), hz < 100 ? 2 : 1) << hz << " Hz";
  }
}

TEST(Spectrogram, NoiseHasNoSeam) {
  // Means of many columns: what is left is the step from row to row.
  Spectrogram::Spec spec = kByEar;
  spec.height = 100;
  const auto levels = picture_of(spec, noise(60 * kRate));
  const auto mean = [&](int row) {
    double sum = 0;
    for (int column = 0; column < 20; ++column)
      sum += std::pow(10, static_cast<double>(level_at(levels, 20, row, column)) / 10);
    return 10 * std::log10(sum / 20);
  };
  for (int row = 1; row < 100; ++row) EXPECT_LT(std::abs(mean(row) - mean(row - 1)), 2) << row;
}

TEST(Spectrogram, WhatIsHighIsAsSharpInTimeAsByTheShortestFrames) {
  std::vector<float> samples(2 * kRate);
  samples[kRate] = 1;
  Spectrogram::Spec spec = kByEar;
  spec.width = 400;  // of 5 ms: 240 samples
  const auto levels = picture_of(spec, samples);
  for (int row = 0; row < row_of(1000, spec); ++row)
    for (int column = 0; column < 400; ++column)
      if (std::abs(column + 0.5 - 200) * 240 > 1024 + 512 + 240) {
        ASSERT_EQ(level_at(levels, 400, row, column), Spectrogram::kFloorDb) << row << ", " << column;
      }
  EXPECT_GT(level_at(levels, 400, row_of(1000, spec), 200), -70);
  EXPECT_GT(level_at(levels, 400, row_of(60, spec), 200 - 40), -100) << "a long frame sees it from afar";
}

TEST(Spectrogram, AShortSignalIsNotLostInALongFrame) {
  const auto levels = picture_of(kByEar, sweep(1, 60, 60, 6000));
  EXPECT_NEAR(brightest(levels, 20, 10).level_db, 0, 0.5);
  EXPECT_EQ(picture_of(kByEar, sweep(1, 60, 60, 40000), 480), picture_of(kByEar, sweep(1, 60, 60, 40000), 7));
}

TEST(Spectrogram, SilenceAndNothingAreTheFloorAndOneSampleIsAPicture) {
  const Spectrogram::Spec spec{.width = 7, .height = 5};
  const std::vector<float> floor(35, Spectrogram::kFloorDb);
  EXPECT_EQ(picture_of(spec, std::vector<float>(10000)), floor);
  EXPECT_EQ(picture_of(spec, {}), floor);
  const auto one = picture_of(spec, std::vector<float>{1.0F});
  ASSERT_EQ(one.size(), 35U);
  for (const float level : one) EXPECT_NEAR(level, one[10], 6.1) << "a click has all frequencies";
  EXPECT_GT(one[10], -80);
}

TEST(Spectrogram, WhatIsNoNumberIsSilenceAndCounted) {
  Spectrogram spectrogram({.channels = 1, .width = 8, .height = 8});
  std::vector<float> samples(20000, std::numeric_limits<float>::quiet_NaN());
  samples[5] = std::numeric_limits<float>::infinity();
  samples[6] = std::numeric_limits<float>::max();
  spectrogram.add(std::span<const float>(samples));
  spectrogram.finish();
  EXPECT_EQ(spectrogram.nonfinite_samples(), 19999U);
  for (const float level : spectrogram.levels_db()) EXPECT_TRUE(std::isfinite(level));
}

TEST(Spectrogram, RefusesWhatCannotBe) {
  EXPECT_THROW(Spectrogram({.width = 0}), InvalidArgument);
  EXPECT_THROW(Spectrogram({.width = 1 << 20, .height = 1 << 20}), InvalidArgument);
  EXPECT_THROW(Spectrogram({.channels = 0}), InvalidArgument);
  EXPECT_THROW(Spectrogram({.size = 1024, .hop = 1025}), InvalidArgument);
  EXPECT_THROW(Spectrogram({.size = 1023, .hop = 100}), InvalidArgument);
  EXPECT_THROW(Spectrogram({.show = Spectrogram::Channels::one, .channel = 2}), InvalidArgument);
  Spectrogram spectrogram({.channels = 1});
  EXPECT_THROW((void)spectrogram.levels_db(), InvalidState) << "before the end";
  const std::vector<float> block(64);
  EXPECT_THROW(spectrogram.add({block.data(), 2, 32}), InvalidArgument);
  spectrogram.finish();
  EXPECT_THROW((void)spectrogram.levels_db(1), InvalidArgument);
  EXPECT_THROW(spectrogram.add(std::span<const float>(block)), InvalidState);
  EXPECT_THROW(spectrogram.finish(), InvalidState);
}

}  // namespace
}  // namespace ringwave::dsp
