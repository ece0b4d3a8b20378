// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/gain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class GainOn : public testing::TestWithParam<Device> {
 protected:
  [[nodiscard]] static Gain mono(float gain, int ramp_frames) {
    return {GetParam(), {.channels = 1, .max_block_frames = 4096, .gain = gain, .ramp_frames = ramp_frames}};
  }
};

BlockView<float> view(std::vector<float>& samples) {
  return {samples.data(), 1, static_cast<int>(samples.size())};
}

TEST_P(GainOn, ScalesEverySampleOfEveryChannel) {
  Gain gain(GetParam(), {.channels = 3, .max_block_frames = 100, .gain = 0.5F});
  std::vector<float> block(300);
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = static_cast<float>(i);
  const BlockView<float> all(block.data(), 3, 100);
  ASSERT_EQ(gain.process(all, all), Status::ok);
  for (std::size_t i = 0; i < block.size(); ++i) ASSERT_EQ(block[i], 0.5F * static_cast<float>(i));
}

TEST_P(GainOn, MinusSixDecibelsIsHalf) {
  Gain gain = mono(std::pow(10.0F, -6.0206F / 20), 0);
  std::vector<float> block(64, 1.0F);
  ASSERT_EQ(gain.process(view(block), view(block)), Status::ok);
  EXPECT_NEAR(block[63], 0.5F, 1e-5F);
}

TEST_P(GainOn, AChangeIsALineWithoutAStep) {
  constexpr int kRamp = 480;
  Gain gain = mono(1.0F, kRamp);
  ASSERT_TRUE(gain.set_gain(0.0F));
  std::vector<float> played(2000, 1.0F);
  for (int done = 0; done < 2000; done += 100) {
    const auto block = view(played).slice(done, 100);
    ASSERT_EQ(gain.process(block, block), Status::ok);
  }
  float before = 1.0F;
  for (std::size_t n = 0; n < played.size(); ++n) {
    // No step larger than the line's own, across every block edge: nothing to hear as a zipper or a click.
    ASSERT_LE(before - played[n], 1.001F / kRamp + 1e-6F) << "at frame " << n;
    ASSERT_GE(before - played[n], 0.0F) << "at frame " << n;
    before = played[n];
  }
  EXPECT_GT(played[kRamp - 2], 0.0F);
  EXPECT_EQ(played[kRamp - 1], 0.0F) << "there after ramp_frames frames, exactly";
}

TEST_P(GainOn, AChangeInTheMiddleOfAChangeStartsWhereItIs) {
  Gain gain = mono(0.0F, 100);
  std::vector<float> first(50, 1.0F);
  std::vector<float> second(100, 1.0F);
  ASSERT_TRUE(gain.set_gain(1.0F));
  ASSERT_EQ(gain.process(view(first), view(first)), Status::ok);
  ASSERT_TRUE(gain.set_gain(0.0F));
  ASSERT_EQ(gain.process(view(second), view(second)), Status::ok);
  EXPECT_NEAR(first.back(), 0.5F, 1e-6F);
  EXPECT_NEAR(second.front(), 0.495F, 1e-6F) << "half of the way back takes the whole ramp again";
  EXPECT_EQ(second.back(), 0.0F);
}

TEST_P(GainOn, WithoutARampAChangeIsAtOnce) {
  Gain gain = mono(1.0F, 0);
  std::vector<float> block(64, 1.0F);
  ASSERT_TRUE(gain.set_gain(0.25F));
  ASSERT_EQ(gain.process(view(block), view(block)), Status::ok);
  EXPECT_EQ(block.front(), 0.25F);
}

TEST_P(GainOn, ResetEndsAChangeAtOnce) {
  Gain gain = mono(1.0F, 1000);
  std::vector<float> block(64, 1.0F);
  ASSERT_TRUE(gain.set_gain(0.25F));
  gain.reset();
  ASSERT_EQ(gain.process(view(block), view(block)), Status::ok);
  EXPECT_EQ(block.front(), 0.25F);
}

TEST_P(GainOn, RefusesAGainThatIsNoNumberAndKeepsItsOwn) {
  Gain gain = mono(0.5F, 0);
  EXPECT_FALSE(gain.set_gain(std::numeric_limits<float>::quiet_NaN()));
  EXPECT_FALSE(gain.set_gain(-std::numeric_limits<float>::infinity()));
  std::vector<float> block(64, 1.0F);
  ASSERT_EQ(gain.process(view(block), view(block)), Status::ok);
  EXPECT_EQ(block.front(), 0.5F);
}

TEST_P(GainOn, CountsNaNAndTouchesNoOtherSample) {
  Gain gain = mono(2.0F, 0);
  std::vector<float> block(64, 1.0F);
  block[10] = std::numeric_limits<float>::quiet_NaN();
  block[20] = std::numeric_limits<float>::infinity();
  ASSERT_EQ(gain.process(view(block), view(block)), Status::ok);
  EXPECT_EQ(gain.nonfinite_samples(), 2U);
  EXPECT_TRUE(std::isnan(block[10]));
  EXPECT_EQ(std::ranges::count(block, 2.0F), 62);
}

TEST_P(GainOn, RefusesAWrongShapeWithSilence) {
  Gain gain(GetParam(), {.channels = 2, .max_block_frames = 64});
  std::vector<float> in(200, 1.0F);
  std::vector<float> out(200, 1.0F);
  EXPECT_EQ(gain.process({in.data(), 1, 64}, {out.data(), 1, 64}), Status::wrong_shape);
  EXPECT_EQ(std::count(out.begin(), out.begin() + 64, 0.0F), 64);
  EXPECT_EQ(out[64], 1.0F) << "silence ends where the block does";
  EXPECT_EQ(gain.process({in.data(), 2, 65}, {out.data(), 2, 65}), Status::wrong_shape);
  EXPECT_EQ(gain.process({in.data(), 2, -1}, {out.data(), 2, -1}), Status::wrong_shape);
  EXPECT_EQ(gain.process({in.data(), 2, 64}, {}), Status::wrong_shape);
}

INSTANTIATE_TEST_SUITE_P(Devices, GainOn, testing::ValuesIn(Device::all()), [](const auto& test) {
  std::string name = test.param.name();
  std::ranges::replace(name, ':', '_');
  return name;
});

TEST(Gain, RefusesASpecThatCannotWork) {
  const Device cpu = Device::cpu();
  EXPECT_THAT([&] { Gain(cpu, {.channels = 0}); }, ThrowsMessage<InvalidArgument>(HasSubstr("0 channels")));
  EXPECT_THROW(Gain(cpu, {.channels = -1}), InvalidArgument);
  EXPECT_THAT([&] { Gain(cpu, {.max_block_frames = 0}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("blocks of 0 frames")));
  EXPECT_THROW(Gain(cpu, {.max_block_frames = std::numeric_limits<int>::max()}), InvalidArgument);
  EXPECT_THROW(Gain(cpu, {.gain = std::numeric_limits<float>::infinity()}), InvalidArgument);
  EXPECT_THROW(Gain(cpu, {.ramp_frames = -1}), InvalidArgument);
}

TEST(Gain, ByAutoRunsSomewhere) {
  const Gain gain(Device(), {});
  EXPECT_FALSE(gain.device().is_automatic());
}

}  // namespace
}  // namespace ringwave::dsp
