// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/delay.hpp"

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

constexpr int kRate = 48000;

std::vector<float> sine(double hz, int frames) {
  std::vector<float> made;
  for (int n = 0; n < frames; ++n)
    made.push_back(static_cast<float>(std::sin(2 * std::numbers::pi * hz * n / kRate)));
  return made;
}

class DelayOn : public testing::TestWithParam<Device> {
 protected:
  [[nodiscard]] static Delay mono(const Delay::Settings& settings) {
    return {GetParam(), {.max_block_frames = 480, .settings = settings}};
  }

  static std::vector<float> play(Delay& delay, std::vector<float> signal) {
    const BlockView<float> all(signal);
    for (int done = 0; done < all.frames(); done += 480) {
      const auto block = all.slice(done, std::min(480, all.frames() - done));
      EXPECT_EQ(delay.process(block, block), Status::ok);
    }
    return signal;
  }
};

TEST_P(DelayOn, AnEchoComesAfterItsTimeAndSofterEachTime) {
  Delay delay = mono({.time_ms = 10, .feedback = 0.5, .mix = 0.5});
  std::vector<float> impulse(2000);
  impulse[0] = 1;
  const auto out = play(delay, impulse);
  for (std::size_t n = 0; n < out.size(); ++n) {
    const double expected = n == 0 ? 0.5 : n % 480 == 0 ? std::pow(0.5, static_cast<double>(n / 480)) : 0;
    ASSERT_NEAR(out[n], expected, 1e-6) << n;
  }
}

TEST_P(DelayOn, ReadsBetweenTheSamples) {
  Delay fractional = mono({.time_ms = 100.25 / 48, .feedback = 0, .mix = 1});
  EXPECT_FALSE(fractional.set({.time_ms = 0.2})) << "shorter than the four samples it reads";
  const auto out = play(fractional, sine(1000, 4800));
  for (std::size_t n = 200; n < out.size(); ++n)
    ASSERT_NEAR(out[n], std::sin(2 * std::numbers::pi * 1000 * (static_cast<double>(n) - 100.25) / kRate),
                1e-3)
        << n;
}

TEST_P(DelayOn, AMovingReadingPointBendsThePitchWithoutAClick) {
  Delay delay = mono({.time_ms = 20, .feedback = 0, .mix = 1, .depth_ms = 5, .rate_hz = 2});
  const auto out = play(delay, sine(440, kRate));
  // At most a step of the sine's own, faster by what the point moves: 2 pi 2 Hz 5 ms = 6.3 %.
  const double most = 2 * std::numbers::pi * 440 / kRate * 1.063 * 1.01;
  for (std::size_t n = 2000; n < out.size(); ++n)
    ASSERT_LE(std::abs(static_cast<double>(out[n]) - static_cast<double>(out[n - 1])), most) << n;
}

TEST_P(DelayOn, AnotherTimeDoesNotClick) {
  Delay delay = mono({.time_ms = 100, .feedback = 0.3, .mix = 1});
  (void)play(delay, sine(200, kRate));
  ASSERT_TRUE(delay.set({.time_ms = 110, .feedback = 0.3, .mix = 1}));
  const auto out = play(delay, sine(200, kRate));
  for (std::size_t n = 1; n < out.size(); ++n)
    ASSERT_LE(std::abs(out[n] - out[n - 1]), 0.06F)
        << n;  // 1.43 times 0.026 a frame, and the point on its way
}

TEST_P(DelayOn, TakesANaNAsSilenceAndRecovers) {
  Delay delay = mono({.time_ms = 5, .feedback = 0.9});
  auto signal = sine(440, 4800);
  signal[100] = std::numeric_limits<float>::quiet_NaN();
  signal[101] = -std::numeric_limits<float>::infinity();
  const auto out = play(delay, signal);
  EXPECT_EQ(delay.nonfinite_samples(), 2U);
  EXPECT_TRUE(std::ranges::all_of(out, [](float sample) { return std::isfinite(sample); }));
}

TEST_P(DelayOn, EvenTheLargestNumbersLeaveTheLineAgain) {
  Delay delay = mono({.time_ms = 5, .feedback = 0.9});
  (void)play(delay, std::vector<float>(4800, std::numeric_limits<float>::max()));
  (void)play(delay, std::vector<float>(10 * kRate, 0.0F));
  EXPECT_LT(std::abs(play(delay, std::vector<float>(480, 0.0F)).back()), 1e-6F);
}

INSTANTIATE_TEST_SUITE_P(Devices, DelayOn, testing::ValuesIn(Device::all()), [](const auto& test) {
  std::string name = test.param.name();
  std::ranges::replace(name, ':', '_');
  return name;
});

TEST(Delay, RefusesASpecThatCannotWork) {
  EXPECT_THAT([] { Delay(Device::cpu(), {.settings = {.time_ms = 3000}}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("at most 2000")));
  EXPECT_THROW(Delay(Device::cpu(), {.settings = {.feedback = 1}}), InvalidArgument);
  EXPECT_THROW(Delay(Device::cpu(), {.settings = {.time_ms = 5, .depth_ms = 5}}), InvalidArgument);
  EXPECT_THROW(Delay(Device::cpu(), {.settings = {.mix = std::numeric_limits<double>::quiet_NaN()}}),
               InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
