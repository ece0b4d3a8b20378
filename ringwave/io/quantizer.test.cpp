// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/quantizer.hpp"

#include <gtest/gtest.h>

namespace ringwave::io {
namespace {

TEST(Quantizer, EveryIntegerComesBackAsItself) {
  Quantizer sixteen(16, false);
  for (int value = -32768; value <= 32767; ++value)
    ASSERT_EQ(sixteen(static_cast<float>(value) / 32768.0F), value);
  Quantizer twenty_four(24, false);
  for (const int value : {-8388608, -8388607, -1, 0, 1, 8388606, 8388607})
    EXPECT_EQ(twenty_four(static_cast<float>(value) / 8388608.0F), value);
}

TEST(Quantizer, WhatIsTooLoudIsHeldAtTheRim) {
  for (const bool dither : {false, true}) {
    Quantizer quantizer(16, dither);
    for (const float loud : {1.01F, 2.0F, 3e38F}) {
      EXPECT_EQ(quantizer(loud), 32767);
      EXPECT_EQ(quantizer(-loud), -32768);
    }
  }
}

TEST(Quantizer, DitherKeepsWhatIsSmallerThanAStep) {
  // A constant of 0.3 steps rounds to nothing; dithered, its mean is still there. The error's variance is
  // that of the triangle and the rounding, 1/6 + 1/12: the mean of a million is within 0.0005, and 5 of those
  // are allowed.
  constexpr int kCount = 1'000'000;
  Quantizer plain(16, false);
  Quantizer dithered(16, true);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kCount; ++i) {
    ASSERT_EQ(plain(0.3F / 32768), 0);
    const double value = dithered(0.3F / 32768);
    ASSERT_LE(std::abs(value), 1.0) << "triangular dither reaches one step at most";
    sum += value;
    squares += (value - 0.3) * (value - 0.3);
  }
  EXPECT_NEAR(sum / kCount, 0.3, 0.0025);
  EXPECT_NEAR(squares / kCount, 0.25, 0.0025) << "and the noise does not depend on the signal";
}

TEST(Quantizer, TheNoiseIsTheSameInEveryRun) {
  Quantizer first(16, true);
  Quantizer second(16, true);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(first(0.1F), second(0.1F));
}

}  // namespace
}  // namespace ringwave::io
