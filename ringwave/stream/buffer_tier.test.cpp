// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/buffer_tier.hpp"

#include <gtest/gtest.h>

namespace ringwave::stream {
namespace {

TEST(BufferTier, IsHalfASecondToTwo) {
  EXPECT_EQ(target_seconds(BufferTier::minimal), 0.5);
  EXPECT_EQ(target_seconds(BufferTier::normal), 1.0);
  EXPECT_EQ(target_seconds(BufferTier::stable), 1.5);
  EXPECT_EQ(target_seconds(BufferTier::defensive), 2.0);
}

TEST(BufferControl, StepsUpAfterAnUnderrunAndNoFurtherThanTheLast) {
  BufferControl control;
  EXPECT_FALSE(control.report({.jitter_ms = 5, .underruns = 0}));
  EXPECT_TRUE(control.report({.jitter_ms = 5, .underruns = 1}));
  EXPECT_EQ(control.tier(), BufferTier::normal);
  EXPECT_FALSE(control.report({.jitter_ms = 5, .underruns = 1})) << "it was counted before";
  EXPECT_TRUE(control.report({.jitter_ms = 31, .underruns = 1}));
  EXPECT_TRUE(control.report({.jitter_ms = 5, .underruns = 2}));
  EXPECT_EQ(control.tier(), BufferTier::defensive);
  EXPECT_FALSE(control.report({.jitter_ms = 99, .underruns = 3}));
}

TEST(BufferControl, StepsDownOnlyAfterALongCalm) {
  BufferControl control(BufferTier::stable);
  for (int i = 1; i < BufferControl::kCalmReports; ++i) EXPECT_FALSE(control.report({.jitter_ms = 5}));
  EXPECT_FALSE(control.report({.jitter_ms = 20})) << "neither calm nor unsteady: it begins anew";
  for (int i = 1; i < BufferControl::kCalmReports; ++i) EXPECT_FALSE(control.report({.jitter_ms = 5}));
  EXPECT_TRUE(control.report({.jitter_ms = 5}));
  EXPECT_EQ(control.tier(), BufferTier::normal);
}

TEST(BufferControl, StaysAtTheLeast) {
  BufferControl control;
  for (int i = 0; i < 3 * BufferControl::kCalmReports; ++i) EXPECT_FALSE(control.report({.jitter_ms = 1}));
  EXPECT_EQ(control.tier(), BufferTier::minimal);
}

}  // namespace
}  // namespace ringwave::stream
