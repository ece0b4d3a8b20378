// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/compressor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int kRate = 48000;
constexpr int kBlock = 480;

double linear(double db) {
  return std::pow(10, db / 20);
}
double decibels(float sample) {
  return 20 * std::log10(std::abs(static_cast<double>(sample)));
}

class CompressorOn : public testing::TestWithParam<Device> {
 protected:
  [[nodiscard]] static Compressor mono(const Compressor::Settings& settings) {
    return {GetParam(), {.max_block_frames = kBlock, .settings = settings}};
  }

  /// `frames` frames of a constant level, in blocks.
  static std::vector<float> play(Compressor& op, double level_db, int frames) {
    std::vector<float> signal(static_cast<std::size_t>(frames), static_cast<float>(linear(level_db)));
    const BlockView<float> all(signal);
    for (int done = 0; done < frames; done += kBlock) {
      const auto block = all.slice(done, std::min(kBlock, frames - done));
      EXPECT_EQ(op.process(block, block), Status::ok);
    }
    return signal;
  }
};

TEST_P(CompressorOn, FollowsItsCurve) {
  for (const double level : {-60.0, -24.0, -21.0, -18.0, -15.0, -12.0, 0.0, 12.0}) {
    Compressor op = mono({.threshold_db = -18, .ratio = 4, .knee_db = 12});
    const double over = level + 18;
    const double reduction = over <= -6  ? 0
                             : over >= 6 ? over * 0.75
                                         : 0.75 * (over + 6) * (over + 6) / 24;  // the parabola of the knee
    EXPECT_NEAR(decibels(play(op, level, kRate).back()), level - reduction, 0.001) << level << " dB";
  }
}

TEST_P(CompressorOn, WithoutAKneeTheCurveHasACorner) {
  Compressor op = mono({.threshold_db = -20, .ratio = 2, .knee_db = 0});
  EXPECT_NEAR(decibels(play(op, -20.01, kRate).back()), -20.01, 1e-4);
  EXPECT_NEAR(decibels(play(op, -10, kRate).back()), -15, 0.001);
}

TEST_P(CompressorOn, BelowTheThresholdNothingIsChanged) {
  Compressor op = mono({.threshold_db = -18, .knee_db = 6});
  const auto quiet = static_cast<float>(linear(-21.5));
  for (const float sample : play(op, -21.5, 2000)) ASSERT_EQ(sample, quiet);
}

TEST_P(CompressorOn, ReachesSixtyThreePercentAfterItsTimes) {
  Compressor op = mono({.threshold_db = -20, .ratio = 2, .knee_db = 0, .attack_ms = 10, .release_ms = 50});
  const auto attack = play(op, 0, kRate);
  EXPECT_NEAR(decibels(attack[kRate / 100 - 1]), -10 * (1 - std::exp(-1)), 0.02);
  EXPECT_NEAR(decibels(attack.back()), -10, 0.001);
  const auto release = play(op, -30, kRate);
  EXPECT_NEAR(decibels(release[kRate / 20 - 1]), -30 - 10 * std::exp(-1), 0.02);
}

TEST_P(CompressorOn, MakeupIsAddedAndItsChangeGlides) {
  Compressor op = mono({.makeup_db = 6});
  EXPECT_NEAR(decibels(play(op, -40, 10).front()), -34, 1e-4) << "at once at the start";
  ASSERT_TRUE(op.set({.makeup_db = 12}));
  const auto changed = play(op, -40, kRate);
  EXPECT_NEAR(decibels(changed.back()), -28, 1e-3);
  for (std::size_t n = 1; n < changed.size(); ++n)
    ASSERT_LT(decibels(changed[n]) - decibels(changed[n - 1]), 0.01) << n;
}

TEST_P(CompressorOn, TakesANaNAsSilenceAndRecovers) {
  Compressor op = mono({});
  std::vector<float> signal(kBlock, 0.25F);
  signal[7] = std::numeric_limits<float>::quiet_NaN();
  signal[8] = std::numeric_limits<float>::infinity();
  ASSERT_EQ(op.process(BlockView<float>(signal), BlockView<float>(signal)), Status::ok);
  EXPECT_EQ(op.nonfinite_samples(), 2U);
  EXPECT_TRUE(std::ranges::all_of(signal, [](float sample) { return std::isfinite(sample); }));
  EXPECT_EQ(signal[7], 0.0F);
}

TEST_P(CompressorOn, RefusesSettingsOutOfRange) {
  Compressor op = mono({});
  EXPECT_FALSE(op.set({.ratio = 0.5}));
  EXPECT_FALSE(op.set({.threshold_db = std::numeric_limits<double>::quiet_NaN()}));
  EXPECT_FALSE(op.set({.attack_ms = 0}));
  EXPECT_TRUE(op.set({.ratio = 1}));
}

INSTANTIATE_TEST_SUITE_P(Devices, CompressorOn, testing::ValuesIn(Device::all()), [](const auto& test) {
  std::string name = test.param.name();
  std::ranges::replace(name, ':', '_');
  return name;
});

TEST(Compressor, RefusesASpecThatCannotWork) {
  EXPECT_THAT([] { Compressor(Device::cpu(), {.settings = {.ratio = 0}}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("ratio of 0")));
  EXPECT_THROW(Compressor(Device::cpu(), {.sample_rate_hz = 0}), InvalidArgument);
  EXPECT_THROW(Compressor(Device::cpu(), {.channels = 0}), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
