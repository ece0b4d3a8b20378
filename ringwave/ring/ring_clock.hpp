// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

#include "ringwave/core/realtime.hpp"
#include "ringwave/core/trace.hpp"

namespace ringwave::ring {

namespace detail {

/// Nanoseconds of the steady clock as a line over the counter of the processor, which is read in a third of
/// the time.
struct TickLine {
  std::uint64_t ticks = 0;
  std::int64_t ns = 0;
  double ns_per_tick = 1;
};
extern TickLine tick_line;

}  // namespace detail

/// Measures the counter's rate, for 2 ms, the first time it is called: a Runtime does it. [setup]
void start_ring_clock();

/// The time that deadlines and latencies of messages are in, from the first Runtime on: nanoseconds of the
/// steady clock then, and from there to 0.01 % of what has passed. [audio]
RW_REALTIME inline std::int64_t ring_now_ns() noexcept {
  const auto& line = detail::tick_line;
  const auto passed = static_cast<std::int64_t>(trace::detail::ticks() - line.ticks);
  return line.ns + static_cast<std::int64_t>(static_cast<double>(passed) * line.ns_per_tick);
}

/// A time from `now_ns` on, as deadlines are; one that no clock reaches is the last there is. [any]
[[nodiscard]] constexpr std::int64_t ring_deadline_ns(std::chrono::nanoseconds from_now,
                                                      std::int64_t now_ns) noexcept {
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  return from_now.count() > kLast - now_ns ? kLast : now_ns + from_now.count();
}

/// The same from now on. [any]
[[nodiscard]] inline std::int64_t ring_deadline_ns(std::chrono::nanoseconds from_now) noexcept {
  return ring_deadline_ns(from_now, ring_now_ns());
}

}  // namespace ringwave::ring
