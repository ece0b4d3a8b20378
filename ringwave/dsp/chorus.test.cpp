// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/chorus.hpp"

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

/// Two channels with the same sine.
std::vector<float> pair_of_sines(double hz, int frames) {
  std::vector<float> made;
  for (int channel = 0; channel < 2; ++channel)
    for (int n = 0; n < frames; ++n)
      made.push_back(static_cast<float>(std::sin(2 * std::numbers::pi * hz * n / kRate)));
  return made;
}

class ChorusOn : public testing::TestWithParam<Device> {
 protected:
  static std::vector<float> play(const Chorus::Spec& spec, std::vector<float> signal) {
    Chorus chorus(GetParam(), spec);
    const BlockView<float> both(signal.data(), 2, static_cast<int>(signal.size() / 2));
    for (int done = 0; done < both.frames(); done += 480) {
      const auto block = both.slice(done, std::min(480, both.frames() - done));
      EXPECT_EQ(chorus.process(block, block), Status::ok);
    }
    return signal;
  }
};

TEST_P(ChorusOn, WithoutAMixNothingIsChanged) {
  const auto in = pair_of_sines(440, 4800);
  EXPECT_EQ(play({.channels = 2, .settings = {.mix = 0}}, in), in);
}

TEST_P(ChorusOn, OneVoiceThatStandsStillIsADelay) {
  std::vector<float> in(2 * 2000);
  in[0] = 1;
  const auto out =
      play({.channels = 2, .voices = 1, .settings = {.delay_ms = 10, .depth_ms = 0, .mix = 1}}, in);
  for (std::size_t n = 0; n < 2000; ++n) ASSERT_NEAR(out[n], n == 480 ? 1 : 0, 1e-6) << n;
}

TEST_P(ChorusOn, ASpreadMakesTwoChannelsWide) {
  const auto in = pair_of_sines(440, kRate);
  const auto difference = [&](double spread) {
    const auto out = play({.channels = 2, .settings = {.spread = spread}}, in);
    double sum = 0;
    for (std::size_t n = 0; n < kRate; ++n)
      sum += std::abs(static_cast<double>(out[n]) - static_cast<double>(out[kRate + n]));
    return sum / kRate;
  };
  EXPECT_EQ(difference(0), 0);
  EXPECT_GT(difference(0.25), 0.1);
}

TEST_P(ChorusOn, DoesNotClick) {
  const auto out = play({.channels = 2, .settings = {.mix = 1}}, pair_of_sines(440, kRate));
  const double most =
      std::sqrt(3) * 2 * std::numbers::pi * 440 / kRate * 1.05;  // three voices, bent by 1.5 %
  for (std::size_t n = 1500; n < kRate; ++n)
    ASSERT_LE(std::abs(static_cast<double>(out[n]) - static_cast<double>(out[n - 1])), most) << n;
}

TEST_P(ChorusOn, TakesANaNAsSilence) {
  auto in = pair_of_sines(440, 4800);
  in[100] = std::numeric_limits<float>::quiet_NaN();
  const auto out = play({.channels = 2}, in);
  EXPECT_TRUE(std::ranges::all_of(out, [](float sample) { return std::isfinite(sample); }));
}

INSTANTIATE_TEST_SUITE_P(Devices, ChorusOn, testing::ValuesIn(Device::all()), [](const auto& test) {
  std::string name = test.param.name();
  std::ranges::replace(name, ':', '_');
  return name;
});

TEST(Chorus, RefusesASpecThatCannotWork) {
  EXPECT_THAT([] { Chorus(Device::cpu(), {.voices = 9}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("9 voices")));
  EXPECT_THROW(Chorus(Device::cpu(), {.settings = {.delay_ms = 2, .depth_ms = 2}}), InvalidArgument);
  Chorus chorus(Device::cpu(), {});
  EXPECT_FALSE(chorus.set({.rate_hz = 21}));
  EXPECT_TRUE(chorus.set({.rate_hz = 2}));
}

}  // namespace
}  // namespace ringwave::dsp
