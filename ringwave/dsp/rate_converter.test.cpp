// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/rate_converter.hpp"

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
using Quality = RateConverter::Quality;

std::vector<float> sine(double hz, int rate_hz, std::size_t frames, double level = 0.5) {
  std::vector<float> samples(frames);
  for (std::size_t n = 0; n < frames; ++n)
    samples[n] =
        static_cast<float>(level * std::sin(2 * std::numbers::pi * hz * static_cast<double>(n) / rate_hz));
  return samples;
}

/// All of `in`, mono, in pieces of these lengths.
std::vector<float> converted(const RateConverter::Spec& spec, std::vector<float> in, int in_block = 1000,
                             int out_block = 777) {
  RateConverter converter(spec);
  std::vector<float> out;
  std::vector<float> block(static_cast<std::size_t>(out_block));
  const auto keep = [&](int made) { out.insert(out.end(), block.begin(), block.begin() + made); };
  const BlockView<const float> all = std::span(in);
  for (int done = 0; done < all.frames();) {
    const auto [taken, made] =
        converter.process(all.slice(done, std::min(in_block, all.frames() - done)), std::span(block));
    EXPECT_GT(taken + made, 0);
    done += taken;
    keep(made);
  }
  while (const int made = converter.finish(std::span(block))) keep(made);
  return out;
}

/// The level of what is left of a signal around that frequency, away from its ends.
double level_at(const std::vector<float>& signal, double hz, int rate_hz) {
  const std::size_t skip = signal.size() / 4;
  const std::size_t count = signal.size() - 2 * skip;
  std::complex<double> sum = 0;
  double weights = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const double window = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * (static_cast<double>(n) + 0.5) /
                                               static_cast<double>(count));
    sum += window * static_cast<double>(signal[skip + n]) *
           std::polar(1.0, -2 * std::numbers::pi * hz * static_cast<double>(n) / rate_hz);
    weights += window;
  }
  return 2 * std::abs(sum) / weights;
}

double peak(const std::vector<float>& signal) {
  float highest = 0;
  for (std::size_t n = signal.size() / 4; n < signal.size() * 3 / 4; ++n)
    highest = std::max(highest, std::abs(signal[n]));
  return static_cast<double>(highest);
}

TEST(RateConverter, ASineKeepsItsPitchLevelAndPlace) {
  for (const auto& [from, to] :
       {std::pair{48000, 44100}, {44100, 48000}, {48000, 96000}, {96000, 44100}, {44100, 22051}})
    for (const Quality quality : {Quality::medium, Quality::high, Quality::very_high}) {
      const auto out = converted({1, from, to, quality}, sine(1000, from, static_cast<std::size_t>(from)));
      ASSERT_EQ(out.size(), static_cast<std::size_t>(to));
      const auto expected = sine(1000, to, out.size());
      double worst = 0;
      for (std::size_t n = out.size() / 4; n < out.size() * 3 / 4; ++n)
        worst = std::max(worst, std::abs(static_cast<double>(out[n] - expected[n])));
      // 16 bits of precision at the least; high and very high are better.
      EXPECT_LT(worst, quality == Quality::medium ? 3e-5 : 2e-6) << from << " to " << to;
    }
}

TEST(RateConverter, KeepsTheBandThatItPromises) {
  const auto kept_db = [](Quality quality, double share) {
    const double hz = share * 22050;
    const auto out = converted({1, 48000, 44100, quality}, sine(hz, 48000, 48000));
    return 20 * std::log10(level_at(out, hz, 44100) / 0.5);
  };
  EXPECT_NEAR(kept_db(Quality::medium, 0.79), 0, 0.35);
  EXPECT_NEAR(kept_db(Quality::high, 0.91), 0, 0.1);
  EXPECT_NEAR(kept_db(Quality::very_high, 0.91), 0, 0.1);
}

TEST(RateConverter, WhatDoesNotFitBelowNyquistIsGone) {
  const auto in = sine(23000, 48000, 48000);
  EXPECT_LT(peak(converted({1, 48000, 44100, Quality::medium}, in)), 0.5 * 1.8e-5);   // 95 dB
  EXPECT_LT(peak(converted({1, 48000, 44100, Quality::high}, in)), 0.5 * 1e-6);       // 120 dB
  EXPECT_LT(peak(converted({1, 48000, 44100, Quality::very_high}, in)), 0.5 * 1e-7);  // 140 dB
}

TEST(RateConverter, NothingIsMirroredAboveTheOldBand) {
  const auto out = converted({1, 44100, 96000, Quality::high}, sine(10000, 44100, 44100));
  EXPECT_NEAR(level_at(out, 10000, 96000), 0.5, 1e-4);
  EXPECT_LT(level_at(out, 44100 - 10000, 96000), 0.5 * 1e-5);
}

TEST(RateConverter, AnImpulseLandsAtItsPlace) {
  for (const auto& [from, to] : {std::pair{48000, 96000}, {48000, 44100}, {44100, 48000}, {96000, 32000}}) {
    std::vector<float> in(static_cast<std::size_t>(from));
    in[static_cast<std::size_t>(from / 10)] = 1;  // a tenth of a second is a whole frame of all of them
    for (const Quality quality : {Quality::quick, Quality::medium, Quality::high, Quality::very_high}) {
      const auto out = converted({1, from, to, quality}, in);
      const auto loudest = std::ranges::max_element(out, {}, [](float x) { return std::abs(x); });
      EXPECT_EQ(loudest - out.begin(), to / 10) << from << " to " << to;
    }
  }
}

TEST(RateConverter, TheLengthIsExactForEveryRateAndQuality) {
  for (const auto& [from, to] : {std::pair{48000, 44100},
                                 {44100, 48000},
                                 {8000, 48000},
                                 {48000, 8000},
                                 {1, 1000},
                                 {1000, 1},
                                 {44100, 44100},
                                 {48000, 47999},
                                 {768000, 11025},
                                 {11025, 768000}})
    for (const int frames : {0, 1, 2, 3, 147, 1000, 4097})
      for (const Quality quality : {Quality::quick, Quality::medium, Quality::high, Quality::very_high}) {
        const std::vector<float> in(static_cast<std::size_t>(frames), 0.25F);
        const auto out = converted({1, from, to, quality}, in);
        const double exact = static_cast<double>(frames) * to / from;
        EXPECT_EQ(static_cast<double>(out.size()), std::floor(exact + 0.5))
            << frames << " from " << from << " to " << to;
        EXPECT_TRUE(std::ranges::all_of(out, [](float x) { return std::abs(x) < 1; }));
      }
}

TEST(RateConverter, PiecesGiveTheSameSamples) {
  const auto in = sine(997, 48000, 20000);
  const auto whole = converted({1, 48000, 44100}, in, 20000, 20000);
  for (const auto& [in_block, out_block] : {std::pair{1, 1}, {64, 5000}, {5000, 64}, {4097, 4096}})
    EXPECT_EQ(converted({1, 48000, 44100}, in, in_block, out_block), whole) << in_block << ", " << out_block;
}

TEST(RateConverter, ChannelsDoNotKnowEachOther) {
  constexpr int kFrames = 9600;
  std::vector<float> in;
  for (int channel = 0; channel < 3; ++channel) {
    const auto one = sine(500 + 300 * channel, 48000, kFrames);
    in.insert(in.end(), one.begin(), one.end());
  }
  RateConverter converter({.channels = 3, .from_hz = 48000, .to_hz = 32000});
  std::vector<float> out(3 * 6400);
  const BlockView<float> view(out.data(), 3, 6400);
  const auto [taken, made] = converter.process({in.data(), 3, kFrames}, view);
  ASSERT_EQ(taken, kFrames);
  int done = made;
  while (const int more = converter.finish(view.slice(done, 6400 - done))) done += more;
  ASSERT_EQ(done, 6400);
  for (int channel = 0; channel < 3; ++channel) {
    const auto alone = converted({1, 48000, 32000}, sine(500 + 300 * channel, 48000, kFrames));
    EXPECT_TRUE(std::ranges::equal(view.channel(channel), alone)) << channel;
  }
}

TEST(RateConverter, WhatIsNoNumberIsSilenceAndCounted) {
  std::vector<float> in(4800, 0.0F);
  in[100] = std::numeric_limits<float>::quiet_NaN();
  in[200] = std::numeric_limits<float>::infinity();
  std::vector<float> out(4410);
  RateConverter converter({1, 48000, 44100});
  const BlockView<const float> all = std::span(in);
  const auto [taken, made] = converter.process(all, std::span(out));
  ASSERT_EQ(taken, 4800);
  (void)converter.finish(BlockView<float>(std::span(out)).slice(made, 4410 - made));
  EXPECT_EQ(converter.nonfinite_samples(), 2);
  EXPECT_TRUE(std::ranges::all_of(out, [](float x) { return x == 0; }));
}

TEST(RateConverter, RefusesRatesThatCannotBe) {
  for (const int bad : {0, -1, 768001, 10'000'000}) {
    EXPECT_THAT(([&] {
                  RateConverter({1, 48000, bad});
                }),
                ThrowsMessage<InvalidArgument>(HasSubstr("1 to 768000 Hz")));
    EXPECT_THAT(([&] {
                  RateConverter({1, bad, 48000});
                }),
                ThrowsMessage<InvalidArgument>(HasSubstr(std::to_string(bad))));
  }
  EXPECT_THROW(RateConverter({.channels = 0}), InvalidArgument);
  EXPECT_THROW(RateConverter({.channels = 1025}), InvalidArgument);
}

TEST(RateConverter, TheWidestStepsWork) {
  EXPECT_EQ(converted({1, 768, 768000}, std::vector<float>(768, 0.5F), 100, 100'000).size(), 768000U);
  EXPECT_EQ(converted({1, 768000, 768}, std::vector<float>(768000, 0.5F), 100'000, 10).size(), 768U);
  EXPECT_THAT(([&] {
                RateConverter({1, 768000, 767});
              }),
              ThrowsMessage<InvalidArgument>(HasSubstr("1000 times")));
  EXPECT_THAT(([&] {
                RateConverter({1, 1, 768000});
              }),
              ThrowsMessage<InvalidArgument>(HasSubstr("1000 times")));
}

TEST(RateConverter, NothingComesAfterTheEnd) {
  RateConverter converter({1, 48000, 44100});
  std::vector<float> block(10);
  EXPECT_EQ(converter.finish(std::span(block)), 0);
  EXPECT_THROW((void)converter.process(std::span<const float>(block), std::span(block)), InvalidState);
  RateConverter stereo({.channels = 2});
  EXPECT_THROW((void)stereo.process(std::span<const float>(block), std::span(block)), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
