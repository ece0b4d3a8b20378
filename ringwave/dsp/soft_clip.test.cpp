// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/soft_clip.hpp"

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

class SoftClipOn : public testing::TestWithParam<Device> {
 protected:
  /// The curve from -4 to 4 in steps of 1/500.
  static std::vector<float> curve(const SoftClip::Settings& settings) {
    SoftClip clip(GetParam(), {.settings = settings});
    std::vector<float> signal;
    for (int i = -2000; i <= 2000; ++i) signal.push_back(static_cast<float>(i) / 500);
    EXPECT_EQ(clip.process(BlockView<float>(signal), BlockView<float>(signal)), Status::ok);
    return signal;
  }
};

TEST_P(SoftClipOn, ChangesNothingUpToTheKnee) {
  const auto out = curve({.knee = 0.5});
  for (int i = -250; i <= 250; ++i)
    ASSERT_EQ(out[static_cast<std::size_t>(2000 + i)], static_cast<float>(i) / 500) << i;
}

TEST_P(SoftClipOn, NeverPassesTheCeilingAndAlwaysRises) {
  for (const double knee : {0.0, 0.5, 0.9}) {
    const auto out = curve({.drive_db = 6, .ceiling_db = -6.0206, .knee = knee});
    for (std::size_t i = 1; i < out.size(); ++i) {
      ASSERT_GE(out[i], out[i - 1]);
      ASSERT_LE(std::abs(out[i]), 0.500001F);
      ASSERT_LE(out[i] - out[i - 1], 2 * 1.001F / 500) << "no steeper than the drive: no corner";
    }
    EXPECT_NEAR(out.back(), 0.5F, 0.001F);
  }
}

TEST_P(SoftClipOn, IsOdd) {
  const auto out = curve({.drive_db = 3, .knee = 0.2});
  for (std::size_t i = 0; i <= 2000; ++i) ASSERT_EQ(out[i], -out[4000 - i]);
}

TEST_P(SoftClipOn, TakesANaNAsSilence) {
  SoftClip clip(GetParam(), {});
  std::vector<float> signal{0.25F, std::numeric_limits<float>::quiet_NaN(), 0.25F};
  ASSERT_EQ(clip.process(BlockView<float>(signal), BlockView<float>(signal)), Status::ok);
  EXPECT_EQ(clip.nonfinite_samples(), 1U);
  EXPECT_EQ(signal, (std::vector<float>{0.25F, 0.0F, 0.25F}));
}

TEST_P(SoftClipOn, OtherSettingsHoldAtOnce) {
  SoftClip clip(GetParam(), {});
  ASSERT_TRUE(clip.set({.drive_db = -6.0206}));
  EXPECT_FALSE(clip.set({.knee = 1}));
  std::vector<float> signal{0.5F};
  ASSERT_EQ(clip.process(BlockView<float>(signal), BlockView<float>(signal)), Status::ok);
  EXPECT_NEAR(signal[0], 0.25F, 1e-6F);
}

INSTANTIATE_TEST_SUITE_P(Devices, SoftClipOn, testing::ValuesIn(Device::all()), [](const auto& test) {
  std::string name = test.param.name();
  std::ranges::replace(name, ':', '_');
  return name;
});

TEST(SoftClip, RefusesASpecThatCannotWork) {
  EXPECT_THAT([] { SoftClip(Device::cpu(), {.settings = {.knee = 1}}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("knee of 1")));
  EXPECT_THROW(SoftClip(Device::cpu(), {.settings = {.drive_db = std::numeric_limits<double>::infinity()}}),
               InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
