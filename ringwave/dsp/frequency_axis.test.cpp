// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/frequency_axis.hpp"

#include <gtest/gtest.h>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

using Scale = FrequencyAxis::Scale;

TEST(FrequencyAxis, GoesThereAndBack) {
  for (const Scale scale : {Scale::linear, Scale::log, Scale::mel}) {
    const FrequencyAxis axis(scale, 48000);
    EXPECT_NEAR(axis.hz_at(0), axis.lowest_hz(), 1e-9);
    EXPECT_NEAR(axis.hz_at(1), 24000, 1e-6);
    for (const double position : {0.1, 0.5, 0.9})
      EXPECT_NEAR(axis.position_of(axis.hz_at(position)), position, 1e-12);
  }
}

TEST(FrequencyAxis, EachHasItsMiddle) {
  EXPECT_NEAR(FrequencyAxis(Scale::linear, 48000).hz_at(0.5), 12000, 1e-9);
  EXPECT_NEAR(FrequencyAxis(Scale::log, 40000).hz_at(0.5), 632.46, 0.01) << "between 20 Hz and 20 kHz";
  EXPECT_NEAR(
      FrequencyAxis(Scale::mel, 48000).position_of(1000) / FrequencyAxis(Scale::mel, 48000).position_of(700),
      1.28, 0.01)
      << "ln(1 + 1000/700) / ln 2";
}

TEST(FrequencyAxis, ALowRateHasALogAxisToo) {
  const FrequencyAxis axis(Scale::log, 8);
  EXPECT_DOUBLE_EQ(axis.lowest_hz(), 0.04);
  EXPECT_DOUBLE_EQ(axis.highest_hz(), 4);
}

TEST(FrequencyAxis, NamesAreKnownAndOthersRefused) {
  EXPECT_EQ(frequency_scale_of_name("mel"), Scale::mel);
  EXPECT_THROW((void)frequency_scale_of_name("bark"), InvalidArgument);
  EXPECT_THROW(FrequencyAxis(Scale::log, 0), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
