// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/approx_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace ringwave::dsp {
namespace {

TEST(ApproxMath, Log2KeepsItsBound) {
  for (double x = 1e-300; x < 1e300; x *= 1.0137) ASSERT_NEAR(approx::log2(x), std::log2(x), 1e-10) << x;
  for (int i = 1; i < 4000; ++i) ASSERT_NEAR(approx::log2(i / 1000.), std::log2(i / 1000.), 1e-10) << i;
  EXPECT_EQ(approx::log2(1), 0);
  EXPECT_EQ(approx::log2(0.125), -3);
}

TEST(ApproxMath, Exp2KeepsItsBound) {
  for (double x = -1000; x <= 1000; x += 0.0371) ASSERT_NEAR(approx::exp2(x) / std::exp2(x), 1, 1e-11) << x;
  EXPECT_EQ(approx::exp2(0.0), 1);
  EXPECT_EQ(approx::exp2(-7.0), 1 / 128.);
  EXPECT_EQ(approx::exp2(5000.0), approx::exp2(1000.0));
  EXPECT_EQ(approx::exp2(-5000.0), approx::exp2(-1000.0));
}

TEST(ApproxMath, SineKeepsItsBound) {
  for (double turns = -3; turns <= 3; turns += 0.000371)
    ASSERT_NEAR(approx::sine(turns), std::sin(2 * std::numbers::pi * turns), 1e-11) << turns;
  EXPECT_EQ(approx::sine(0), 0);
  EXPECT_NEAR(approx::sine(1e9 + 0.25), 1, 1e-11);
}

TEST(ApproxMath, TanhKeepsItsBound) {
  for (double x = -40; x <= 40; x += 0.00317) ASSERT_NEAR(approx::tanh(x), std::tanh(x), 1e-11) << x;
  EXPECT_EQ(approx::tanh(0), 0);
}

TEST(ApproxMath, SineOfAPhaseKeepsItsBound) {
  for (std::uint64_t phase = 0; phase < 0x1'0000'0000U; phase += 98'765)
    ASSERT_NEAR(approx::sine_of_phase(static_cast<std::uint32_t>(phase)),
                std::sin(2 * std::numbers::pi * static_cast<double>(phase) * 0x1p-32), 2e-7)
        << phase;
  EXPECT_EQ(approx::sine_of_phase(0), 0);
  EXPECT_EQ(approx::sine_of_phase(0x8000'0000U), 0);
  EXPECT_NEAR(approx::sine_of_phase(0x4000'0000U), 1, 1e-7);
  EXPECT_NEAR(approx::sine_of_phase(0xc000'0000U), -1, 1e-7);
}

TEST(ApproxMath, Exp2OfFloatsKeepsItsBound) {
  for (float x = -125; x <= 125; x += 0.00371F)
    ASSERT_NEAR(static_cast<double>(approx::exp2(x)) / std::exp2(static_cast<double>(x)), 1, 2e-7) << x;
  EXPECT_EQ(approx::exp2(0.0F), 1);
  EXPECT_EQ(approx::exp2(-7.0F), 1 / 128.F);
  EXPECT_EQ(approx::exp2(500.0F), approx::exp2(125.0F));
  EXPECT_EQ(approx::exp2(-500.0F), approx::exp2(-125.0F));
}

TEST(ApproxMath, TangentKeepsItsBound) {
  for (float x = 1e-4F; x < 0.49F; x += 0.000137F)
    ASSERT_NEAR(static_cast<double>(approx::tangent(x)) / std::tan(std::numbers::pi * static_cast<double>(x)),
                1, 1e-5)
        << x;
  EXPECT_EQ(approx::tangent(0), 0);
}

}  // namespace
}  // namespace ringwave::dsp
