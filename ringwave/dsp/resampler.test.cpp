// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/resampler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using Quality = Resampler::Quality;

std::vector<float> sine(double hz, int rate_hz, std::size_t frames) {
  std::vector<float> samples(frames);
  for (std::size_t n = 0; n < frames; ++n)
    samples[n] =
        static_cast<float>(0.5 * std::sin(2 * std::numbers::pi * hz * static_cast<double>(n) / rate_hz));
  return samples;
}

double peak(std::span<const float> signal) {
  float highest = 0;
  for (const float sample : signal.subspan(signal.size() / 4, signal.size() / 2))
    highest = std::max(highest, std::abs(sample));
  return static_cast<double>(highest);
}

class ResamplerOn : public testing::TestWithParam<Device> {
 protected:
  static std::vector<float> resampled(int from_hz, int to_hz, Quality quality, const std::vector<float>& in) {
    Resampler op(
        GetParam(),
        {.from_hz = from_hz, .to_hz = to_hz, .max_frames = static_cast<int>(in.size()), .quality = quality});
    std::vector<float> out(static_cast<std::size_t>(op.output_frames(static_cast<int>(in.size()))));
    EXPECT_EQ(op.process(std::span(in), std::span(out)), Status::ok);
    return out;
  }
};

TEST_P(ResamplerOn, ASineKeepsItsPitchLevelAndPlace) {
  for (const auto& [from, to] : {std::pair{48000, 44100}, {44100, 48000}, {48000, 96000}, {96000, 32000}})
    for (const auto& [quality, most] : {std::pair{Quality::standard, 2e-3},
                                        {Quality::high, 2e-5},
                                        {Quality::best, 3e-6},
                                        {Quality::finest, 2e-7}}) {
      const auto out = resampled(from, to, quality, sine(1000, from, static_cast<std::size_t>(from)));
      ASSERT_EQ(out.size(), static_cast<std::size_t>(to));
      const auto wanted = sine(1000, to, out.size());
      double worst = 0;
      for (std::size_t n = out.size() / 4; n < out.size() * 3 / 4; ++n)
        worst = std::max(worst, std::abs(static_cast<double>(out[n] - wanted[n])));
      EXPECT_LT(worst, most) << from << " to " << to;
    }
}

TEST_P(ResamplerOn, WhatDoesNotFitBelowNyquistIsGone) {
  for (const double hz : {22100.0, 23000.0, 23900.0}) {
    const auto in = sine(hz, 48000, 48000);
    EXPECT_LT(peak(resampled(48000, 44100, Quality::high, in)), 0.5 * std::pow(10, -96 / 20.0)) << hz;
    EXPECT_LT(peak(resampled(48000, 44100, Quality::best, in)), 0.5 * std::pow(10, -120 / 20.0)) << hz;
    EXPECT_LT(peak(resampled(48000, 44100, Quality::finest, in)), 0.5 * std::pow(10, -130 / 20.0)) << hz;
  }
}

TEST_P(ResamplerOn, AnImpulseLandsAtItsPlace) {
  for (const auto& [from, to] : {std::pair{48000, 96000}, {48000, 44100}, {44100, 48000}, {96000, 32000}}) {
    std::vector<float> in(static_cast<std::size_t>(from));
    in[static_cast<std::size_t>(from / 10)] = 1;
    const auto out = resampled(from, to, Quality::standard, in);
    EXPECT_EQ(std::ranges::max_element(out) - out.begin(), to / 10) << from << " to " << to;
  }
}

TEST_P(ResamplerOn, ARatioOfOneIsACopy) {
  const auto in = sine(440, 48000, 999);
  EXPECT_EQ(resampled(48000, 48000, Quality::best, in), in);
  EXPECT_EQ(resampled(48000, 48000, Quality::finest, in), in);
}

TEST_P(ResamplerOn, AWrongShapeIsSilence) {
  Resampler op(GetParam(), {.channels = 2, .max_frames = 160});
  EXPECT_EQ(op.output_frames(160), 147);
  EXPECT_EQ(op.output_frames(161), 148);
  EXPECT_EQ(op.output_frames(0), 0);
  const std::vector<float> in(1000, 1.0F);
  std::vector<float> out(1000, 1.0F);
  for (const auto& [frames_in, frames_out, channels] :
       {std::tuple{160, 146, 2}, std::tuple{160, 148, 2}, std::tuple{320, 294, 2}, std::tuple{160, 147, 1}}) {
    std::ranges::fill(out, 1.0F);
    EXPECT_EQ(op.process({in.data(), channels, frames_in}, {out.data(), channels, frames_out}),
              Status::wrong_shape);
    EXPECT_EQ(out[0], 0);
  }
  EXPECT_EQ(op.process({in.data(), 2, 160}, {out.data(), 2, 147}), Status::ok);
  EXPECT_EQ(op.process({in.data(), 2, 0}, {out.data(), 2, 0}), Status::ok);
}

INSTANTIATE_TEST_SUITE_P(Devices, ResamplerOn, testing::ValuesIn(Device::all()), [](const auto& test) {
  std::string name = test.param.name();
  std::ranges::replace(name, ':', '_');
  return name;
});

TEST(Resampler, RefusesWhatCannotBe) {
  const Device cpu = Device::cpu();
  EXPECT_THAT(([&] { Resampler(cpu, {.from_hz = 0}); }),
              ThrowsMessage<InvalidArgument>(HasSubstr("from 0 to 44100")));
  EXPECT_THROW(Resampler(cpu, {.to_hz = -1}), InvalidArgument);
  EXPECT_THROW(Resampler(cpu, {.channels = 0}), InvalidArgument);
  EXPECT_THROW(Resampler(cpu, {.max_frames = 0}), InvalidArgument);
  EXPECT_THAT(([&] { Resampler(cpu, {.from_hz = 1, .to_hz = 1000, .max_frames = 1 << 28}); }),
              ThrowsMessage<InvalidArgument>(HasSubstr("at a time")));
  EXPECT_THAT(([&] { Resampler(cpu, {.from_hz = 1'000'000, .to_hz = 999'999, .quality = Quality::best}); }),
              ThrowsMessage<InvalidArgument>(HasSubstr("coefficients")));
  EXPECT_THROW(Resampler(cpu, {.from_hz = 2'000'000'000, .to_hz = 1'999'999'999}), InvalidArgument);
  EXPECT_THAT(([&] { Resampler(cpu, {}, std::vector<double>(4, 1.0)); }),
              ThrowsMessage<InvalidArgument>(HasSubstr("odd")));
  EXPECT_THAT(([&] {
                Resampler(cpu, {}, std::vector<double>{1, std::numeric_limits<double>::infinity(), 1});
              }),
              ThrowsMessage<InvalidArgument>(HasSubstr("tap 1")));
}

TEST(ResamplerFilter, StopsWhatItPromises) {
  for (const auto& [quality, stop_db] :
       {std::pair{Quality::high, -96.0}, {Quality::best, -120.0}, {Quality::finest, -136.0}})
    for (const auto& [up, down] : {std::pair{147, 160}, {2, 1}, {1, 3}}) {
      const auto taps = resampler_filter(up, down, quality);
      ASSERT_EQ(taps.size(), static_cast<std::size_t>(resampler_filter_taps(up, down, quality)));
      const double longest = std::max(up, down);
      const auto level = [&taps, longest, whole = static_cast<double>(up)](double share_of_nyquist) {
        std::complex<double> sum = 0;
        for (std::size_t k = 0; k < taps.size(); ++k)
          sum += taps[k] *
                 std::polar(1.0, -std::numbers::pi * share_of_nyquist / longest * static_cast<double>(k));
        return 20 * std::log10(std::abs(sum) / whole);
      };
      EXPECT_NEAR(level(0), 0, 1e-9);
      for (const double share : {0.1, 0.5, 0.8, 0.9}) EXPECT_NEAR(level(share), 0, 2e-4) << share;
      for (double share = 1; share < longest; share += share < 1.3 ? 0.0037 : 0.37)
        ASSERT_LT(level(share), stop_db) << share << " at " << up << "/" << down;
    }
}

}  // namespace
}  // namespace ringwave::dsp
