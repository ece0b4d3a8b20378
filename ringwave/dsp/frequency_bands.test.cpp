// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/frequency_bands.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

TEST(FrequencyBands, EvenOnesStandSideBySideAndHaveTheSameWidthByEar) {
  const auto bands = even_bands(10, 20, 20480);
  ASSERT_EQ(bands.size(), 10U);
  EXPECT_DOUBLE_EQ(bands.front().low_hz, 20);
  EXPECT_NEAR(bands.back().high_hz, 20480, 1e-9);
  for (std::size_t i = 0; i < bands.size(); ++i) {
    EXPECT_NEAR(bands[i].high_hz / bands[i].low_hz, 2, 1e-9);
    EXPECT_NEAR(bands[i].centre_hz * bands[i].centre_hz, bands[i].low_hz * bands[i].high_hz, 1e-6);
    if (i > 0) {
      EXPECT_DOUBLE_EQ(bands[i].low_hz, bands[i - 1].high_hz);
    }
  }
}

TEST(FrequencyBands, ThirdOctavesFrom20To20000AreThe31OfTheStandard) {
  const auto bands = third_octave_bands();
  ASSERT_EQ(bands.size(), 31U);
  EXPECT_NEAR(bands.front().centre_hz, 19.953, 1e-3);
  EXPECT_NEAR(bands[17].centre_hz, 1000, 1e-9);
  EXPECT_NEAR(bands[17].low_hz, 891.25, 1e-2);
  EXPECT_NEAR(bands[17].high_hz, 1122.02, 1e-2);
  EXPECT_NEAR(bands.back().centre_hz, 19952.6, 0.1);
  EXPECT_EQ(third_octave_bands(31.5, 31.5).size(), 1U) << "a nominal centre";
}

TEST(FrequencyBands, RefusesWhatCannotBe) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)even_bands(0, 20, 20000), InvalidArgument);
  EXPECT_THROW((void)even_bands(3, 0, 20000), InvalidArgument);
  EXPECT_THROW((void)even_bands(3, 200, 100), InvalidArgument);
  EXPECT_THROW((void)even_bands(3, 200, nan), InvalidArgument);
  EXPECT_THROW((void)third_octave_bands(nan, 100), InvalidArgument);
  EXPECT_THROW((void)third_octave_bands(1100, 1150), InvalidArgument) << "no centre between them";
}

}  // namespace
}  // namespace ringwave::dsp
