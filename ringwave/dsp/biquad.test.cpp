// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/biquad.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/dsp/butterworth.hpp"

namespace ringwave::dsp {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int kRate = 48000;
constexpr int kBlock = 480;

BlockView<float> view(std::vector<float>& samples) {
  return {samples.data(), 1, static_cast<int>(samples.size())};
}

std::vector<float> sine(double hz, int frames) {
  std::vector<float> made(static_cast<std::size_t>(frames));
  for (std::size_t n = 0; n < made.size(); ++n)
    made[n] = static_cast<float>(std::sin(2 * std::numbers::pi * hz * static_cast<double>(n) / kRate));
  return made;
}

class BiquadOn : public testing::TestWithParam<Device> {
 protected:
  [[nodiscard]] static Biquad mono(const std::vector<Section>& sections) {
    return {GetParam(), {.channels = 1, .max_block_frames = kBlock}, sections};
  }

  /// `samples` through the filter, block by block, in place.
  static void play(Biquad& filter, std::vector<float>& samples) {
    const auto all = view(samples);
    for (int done = 0; done < all.frames(); done += kBlock) {
      const auto block = all.slice(done, std::min(kBlock, all.frames() - done));
      ASSERT_EQ(filter.process(block, block), Status::ok);
    }
  }

  /// The level of a sine after the filter, in dB, once it has settled: as an ear or a meter hears it.
  static double level_of_sine(const std::vector<Section>& sections, double hz) {
    Biquad filter = mono(sections);
    std::vector<float> signal = sine(hz, kRate);
    play(filter, signal);
    double energy = 0;
    for (std::size_t n = kRate / 2; n < kRate; ++n)
      energy += static_cast<double>(signal[n]) * static_cast<double>(signal[n]);
    return 10 * std::log10(energy / (kRate / 4.0));
  }
};

TEST_P(BiquadOn, IsThreeDecibelsDownAtTheCutoff) {
  EXPECT_NEAR(level_of_sine(butterworth_lowpass(8, 1000, kRate), 1000), -3.01, 0.01);
  EXPECT_NEAR(level_of_sine(butterworth_highpass(4, 100, kRate), 100), -3.01, 0.01);
}

TEST_P(BiquadOn, IsFortyEightDecibelsDownAnOctaveAboveAnEighthOrderCutoff) {
  EXPECT_NEAR(level_of_sine(butterworth_lowpass(8, 500, kRate), 1000), -48.2, 0.2);
}

TEST_P(BiquadOn, PassesWhatIsFarBelowTheCutoff) {
  EXPECT_NEAR(level_of_sine(butterworth_lowpass(8, 5000, kRate), 100), 0.0, 0.001);
}

TEST_P(BiquadOn, ALowPassPassesDirectCurrentAndAHighPassNone) {
  std::vector<float> low(kRate, 0.5F);
  std::vector<float> high = low;
  Biquad lowpass = mono(butterworth_lowpass(8, 1000, kRate));
  Biquad highpass = mono(butterworth_highpass(8, 1000, kRate));
  play(lowpass, low);
  play(highpass, high);
  EXPECT_NEAR(low.back(), 0.5F, 1e-6F);
  EXPECT_NEAR(high.back(), 0.0F, 1e-9F);
}

TEST_P(BiquadOn, SectionsThatPassEverythingChangeNothing) {
  Biquad filter = mono({{}, {}, {}});
  const std::vector<float> in = sine(440, 2000);
  std::vector<float> out = in;
  play(filter, out);
  EXPECT_EQ(in, out);
}

TEST_P(BiquadOn, DoesNotClickAtABlockEdge) {
  // A settled sine is smooth: its second difference is w² at most. A click at an edge is far above.
  std::vector<float> signal = sine(200, kRate / 2);
  Biquad filter = mono(butterworth_lowpass(4, 2000, kRate));
  play(filter, signal);
  const double w = 2 * std::numbers::pi * 200 / kRate;
  for (std::size_t n = 5000; n + 1 < signal.size(); ++n)
    ASSERT_LT(std::abs(signal[n + 1] - 2 * signal[n] + signal[n - 1]), 1.01 * w * w + 1e-6)
        << "at frame " << n;
}

TEST_P(BiquadOn, IsSilentAfterReset) {
  Biquad filter = mono(butterworth_lowpass(8, 50, kRate));
  std::vector<float> loud = sine(50, 5000);
  play(filter, loud);
  std::vector<float> tail(kBlock, 0.0F);
  play(filter, tail);
  EXPECT_NE(tail.front(), 0.0F) << "before the reset it rings";
  filter.reset();
  std::vector<float> after(5000, 0.0F);
  play(filter, after);
  EXPECT_EQ(std::ranges::count(after, 0.0F), 5000);
}

TEST_P(BiquadOn, RingsOutIntoSilenceWithoutSubnormals) {
  Biquad filter = mono(butterworth_highpass(2, 200, kRate));
  std::vector<float> signal(2 * kRate, 0.0F);
  signal[0] = 1.0F;
  play(filter, signal);
  EXPECT_LT(std::abs(signal.back()), std::numeric_limits<float>::min());
}

TEST_P(BiquadOn, KeepsANaNInItsChannelCountsItAndForgetsItByReset) {
  Biquad filter(GetParam(), {.channels = 2, .max_block_frames = kBlock}, butterworth_lowpass(4, 1000, kRate));
  std::vector<float> block(2 * kBlock, 0.25F);
  block[100] = std::numeric_limits<float>::quiet_NaN();
  const BlockView<float> both(block.data(), 2, kBlock);
  ASSERT_EQ(filter.process(both, both), Status::ok);
  EXPECT_EQ(filter.nonfinite_samples(), 1U);
  EXPECT_TRUE(std::isfinite(block[99]));
  EXPECT_TRUE(std::isnan(block[kBlock - 1]));
  EXPECT_TRUE(std::ranges::all_of(both.channel(1), [](float sample) { return std::isfinite(sample); }));
  filter.reset();
  std::ranges::fill(block, 0.25F);
  ASSERT_EQ(filter.process(both, both), Status::ok);
  EXPECT_TRUE(std::ranges::equal(both.channel(0), both.channel(1)));
  EXPECT_EQ(filter.nonfinite_samples(), 1U);
}

TEST_P(BiquadOn, RefusesAWrongShapeWithSilence) {
  Biquad filter(GetParam(), {.channels = 2, .max_block_frames = 64}, butterworth_lowpass(2, 1000, kRate));
  std::vector<float> in(200, 1.0F);
  std::vector<float> out(200, 1.0F);
  EXPECT_EQ(filter.process({in.data(), 3, 64}, {out.data(), 3, 64}), Status::wrong_shape);
  EXPECT_EQ(std::count(out.begin(), out.end(), 0.0F), 192);
  EXPECT_EQ(filter.process({in.data(), 2, 65}, {out.data(), 2, 65}), Status::wrong_shape);
  EXPECT_EQ(filter.process({in.data(), 2, 64}, {out.data(), 2, 32}), Status::wrong_shape);
  EXPECT_EQ(filter.process({in.data(), 2, -1}, {out.data(), 2, -1}), Status::wrong_shape);
  EXPECT_EQ(filter.process({}, {}), Status::wrong_shape);
}

TEST_P(BiquadOn, GoesOnAfterAMove) {
  const auto sections = butterworth_lowpass(4, 300, kRate);
  std::vector<float> expected = sine(100, 2 * kBlock);
  std::vector<float> moved = expected;
  Biquad stays = mono(sections);
  play(stays, expected);
  Biquad filter = mono(sections);
  const auto first = view(moved).slice(0, kBlock);
  const auto second = view(moved).slice(kBlock, kBlock);
  ASSERT_EQ(filter.process(first, first), Status::ok);
  Biquad other = std::move(filter);
  ASSERT_EQ(other.process(second, second), Status::ok);
  EXPECT_EQ(expected, moved);
}

INSTANTIATE_TEST_SUITE_P(Devices, BiquadOn, testing::ValuesIn(Device::all()), [](const auto& test) {
  std::string name = test.param.name();
  std::ranges::replace(name, ':', '_');
  return name;
});

TEST(Biquad, NamesTheSectionAndThePoleThatAreNotStable) {
  const std::vector<Section> sections{{}, {1, 0, 0, 0, 1.44}};
  EXPECT_THAT([&] { Biquad(Device::cpu(), {}, sections); },
              ThrowsMessage<InvalidArgument>(AllOf(HasSubstr("section 1"), HasSubstr("1.2"))));
}

TEST(Biquad, RefusesNoSectionsAndTooMany) {
  EXPECT_THAT([] { Biquad(Device::cpu(), {}, std::vector<Section>{}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("0 sections")));
  EXPECT_NO_THROW(Biquad(Device::cpu(), {}, std::vector<Section>(64)));
  EXPECT_THROW(Biquad(Device::cpu(), {}, std::vector<Section>(65)), InvalidArgument);
}

TEST(Biquad, RefusesAShapeOutOfRange) {
  const std::vector<Section> sections(1);
  EXPECT_THROW(Biquad(Device::cpu(), {.channels = 0}, sections), InvalidArgument);
  EXPECT_THROW(Biquad(Device::cpu(), {.max_block_frames = -4}, sections), InvalidArgument);
}

TEST(Biquad, IsNotMadeOnADeviceThatIsNotThere) {
  const std::vector<Section> sections(1);
  EXPECT_THROW(Biquad(Device::find("cuda:99"), {}, sections), DeviceUnavailable);
  EXPECT_THROW(Biquad(Device::find("tpu"), {}, sections), InvalidArgument);
}

TEST(Biquad, ByAutoRunsSomewhere) {
  const std::vector<Section> sections(1);
  const Biquad filter(Device(), {}, sections);
  EXPECT_FALSE(filter.device().is_automatic());
}

}  // namespace
}  // namespace ringwave::dsp
