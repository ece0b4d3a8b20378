// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/ring_clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace ringwave::ring {
namespace {

std::int64_t steady_ns() {
  return std::chrono::nanoseconds{std::chrono::steady_clock::now().time_since_epoch()}.count();
}

TEST(RingClock, NeverGoesBack) {
  start_ring_clock();
  std::int64_t before = ring_now_ns();
  for (int i = 0; i < 100'000; ++i) {
    const std::int64_t now = ring_now_ns();
    ASSERT_GE(now, before);
    before = now;
  }
}

TEST(RingClock, FollowsTheSteadyClock) {
  start_ring_clock();
  // However long the machine holds this up between two looks, a look lies between its neighbours. Tolerance:
  // ten times what the clock promises of the time since it was measured, and 10 us for that measurement.
  const std::int64_t since_start = std::max<std::int64_t>(0, steady_ns() - detail::tick_line.ns);
  const std::int64_t tolerance = 10'000 + since_start / 1000;
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t before = steady_ns();
    const std::int64_t now = ring_now_ns();
    const std::int64_t after = steady_ns();
    ASSERT_GE(now, before - tolerance);
    ASSERT_LE(now, after + tolerance);
  }
}

TEST(RingClock, ADeadlineLiesAheadByItsTime) {
  start_ring_clock();
  const std::int64_t before = ring_now_ns();
  const std::int64_t deadline = ring_deadline_ns(std::chrono::hours{1});
  const std::int64_t after = ring_now_ns();
  const std::int64_t hour = std::chrono::nanoseconds{std::chrono::hours{1}}.count();
  EXPECT_GE(deadline, before + hour);
  EXPECT_LE(deadline, after + hour);
}

TEST(RingClock, ADeadlineThatNoClockReachesIsTheLast) {
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  using std::chrono::nanoseconds;
  EXPECT_EQ(ring_deadline_ns(nanoseconds::max(), 1), kLast);
  EXPECT_EQ(ring_deadline_ns(nanoseconds{kLast - 5}, 5), kLast);
  EXPECT_EQ(ring_deadline_ns(nanoseconds{kLast - 6}, 5), kLast - 1);
  EXPECT_EQ(ring_deadline_ns(nanoseconds{-3}, 5), 2);
  start_ring_clock();
  EXPECT_EQ(ring_deadline_ns(nanoseconds::max()), kLast);
}

TEST(RingClock, IsMeasuredOnce) {
  start_ring_clock();
  const auto line = detail::tick_line;
  start_ring_clock();
  EXPECT_EQ(line.ticks, detail::tick_line.ticks);
  EXPECT_EQ(line.ns, detail::tick_line.ns);
  EXPECT_EQ(line.ns_per_tick, detail::tick_line.ns_per_tick);
}

}  // namespace
}  // namespace ringwave::ring
