// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/gate.hpp"

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

constexpr int kMillisecond = 48;

class GateOn : public testing::TestWithParam<Device> {
 protected:
  GateOn()
      : gate_(GetParam(), {.max_block_frames = 64,
                           .settings = {.open_db = -20,
                                        .close_db = -40,
                                        .floor_db = -60,
                                        .attack_ms = 1,
                                        .hold_ms = 10,
                                        .release_ms = 20}}) {}

  /// The gain of each of `ms` milliseconds' frames of a constant level.
  std::vector<float> gains(float level, int ms) {
    std::vector<float> signal(static_cast<std::size_t>(ms * kMillisecond), level);
    const BlockView<float> all(signal);
    for (int done = 0; done < all.frames(); done += 64) {
      const auto block = all.slice(done, std::min(64, all.frames() - done));
      EXPECT_EQ(gate_.process(block, block), Status::ok);
    }
    for (float& sample : signal) sample /= level;
    return signal;
  }

  Gate gate_;
};

TEST_P(GateOn, OpensAtItsThresholdAlongALine) {
  EXPECT_NEAR(gains(0.099F, 5).back(), 0.001F, 1e-6F) << "just too soft: the floor";
  const auto opening = gains(0.101F, 5);
  for (int n = 0; n < kMillisecond; ++n)
    EXPECT_NEAR(opening[static_cast<std::size_t>(n)], 0.001 + 0.999 * (n + 1) / kMillisecond, 1e-5) << n;
  EXPECT_EQ(opening.back(), 1.0F) << "open: not a bit is changed";
}

TEST_P(GateOn, StaysOpenBetweenItsThresholds) {
  (void)gains(0.2F, 5);
  const auto between = gains(0.02F, 500);
  EXPECT_EQ(std::ranges::count(between, 1.0F), 500 * kMillisecond) << "hysteresis: no flutter";
}

TEST_P(GateOn, HoldsThenClosesAlongALine) {
  (void)gains(0.2F, 5);
  const auto closing = gains(0.001F, 40);
  EXPECT_EQ(closing[10 * kMillisecond - 1], 1.0F) << "still held";
  EXPECT_LT(closing[10 * kMillisecond], 1.0F);
  EXPECT_NEAR(closing[20 * kMillisecond], 0.5, 0.01) << "half way after half of the release";
  EXPECT_NEAR(closing.back(), 0.001F, 1e-6F);
  for (std::size_t n = 1; n < closing.size(); ++n)
    ASSERT_LE(closing[n - 1] - closing[n], 1.01F / (20 * kMillisecond)) << "a step at " << n;
}

TEST_P(GateOn, ALoudMomentInTheHoldStartsItAgain) {
  (void)gains(0.2F, 5);
  (void)gains(0.001F, 9);
  (void)gains(0.2F, 1);
  EXPECT_EQ(gains(0.001F, 9).back(), 1.0F);
}

TEST_P(GateOn, TakesANaNAsSilenceAndRecovers) {
  std::vector<float> signal(64, 0.5F);
  signal[3] = std::numeric_limits<float>::quiet_NaN();
  ASSERT_EQ(gate_.process(BlockView<float>(signal), BlockView<float>(signal)), Status::ok);
  EXPECT_EQ(gate_.nonfinite_samples(), 1U);
  EXPECT_EQ(signal[3], 0.0F);
  EXPECT_EQ(signal[63], 0.5F);
}

TEST_P(GateOn, RefusesToCloseAboveWhereItOpens) {
  EXPECT_FALSE(gate_.set({.open_db = -40, .close_db = -30}));
  EXPECT_FALSE(gate_.set({.hold_ms = std::numeric_limits<double>::quiet_NaN()}));
  EXPECT_TRUE(gate_.set({.open_db = -40, .close_db = -40}));
}

INSTANTIATE_TEST_SUITE_P(Devices, GateOn, testing::ValuesIn(Device::all()), [](const auto& test) {
  std::string name = test.param.name();
  std::ranges::replace(name, ':', '_');
  return name;
});

TEST(Gate, RefusesASpecThatCannotWork) {
  EXPECT_THAT([] { Gate(Device::cpu(), {.settings = {.open_db = -50, .close_db = -30}}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("from -50")));
  EXPECT_THROW(Gate(Device::cpu(), {.sample_rate_hz = -1}), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
