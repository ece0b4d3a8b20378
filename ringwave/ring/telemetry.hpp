// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "ringwave/ring/latency_buckets.hpp"
#include "ringwave/ring/lifecycle.hpp"
#include "ringwave/ring/message.hpp"
#include "ringwave/ring/shared_word.hpp"

namespace ringwave::ring {

/// What a kernel counts of itself, in the one line of host memory that it writes and others read. Only the
/// kernel writes it.
struct alignas(64) TelemetryBlock {
  std::uint64_t processed = 0;   ///< messages whose handler returned
  std::uint64_t expired = 0;     ///< messages whose deadline had passed
  std::uint64_t duplicates = 0;  ///< messages of an id that came a short while ago
  std::uint64_t dropped = 0;     ///< by drop_oldest, as the kernel saw it, and to a full outbox
  std::uint64_t errors = 0;      ///< handlers that failed or refused
  std::uint64_t polls = 0;       ///< looks into the inbox
  std::uint64_t busy_ns = 0;     ///< inside handlers
  std::int64_t last_ns = 0;      ///< when the last message was handled, by ring_now_ns()
};
static_assert(sizeof(TelemetryBlock) == 64, "the host reads it in one cache line");

/// The numbers as they are, while the kernel goes on counting. [any]
[[nodiscard]] inline TelemetryBlock copy_of(const TelemetryBlock& block) noexcept {
  return {peek(block.processed), peek(block.expired), peek(block.duplicates), peek(block.dropped),
          peek(block.errors),    peek(block.polls),   peek(block.busy_ns),    peek(block.last_ns)};
}

/// A kernel's numbers at one moment.
struct Telemetry {
  std::string kernel{};
  std::string handler{};
  std::string device{};
  std::uint32_t runtime = 0;  ///< of those of the process, from 1; 0: it is not on the Board
  State state = State::created;
  TelemetryBlock counts{};
  std::uint64_t sent = 0;            ///< messages that came into the inbox
  std::uint64_t rejected = 0;        ///< that found it full
  std::uint64_t dropped_newest = 0;  ///< that were dropped because it was full
  std::uint64_t dropped_oldest = 0;  ///< that were dropped to make room
  std::uint64_t dropped_at_end = 0;  ///< that were still waiting when the kernel ended
  std::uint64_t undelivered = 0;     ///< that it sent to a kernel elsewhere, which did not take them
  std::uint64_t restarts = 0;
  std::array<std::uint64_t, kBands> depth{};  ///< messages waiting, low band first
  std::array<std::uint64_t, kBands> peak{};   ///< the most that ever were, as senders saw it
  double uptime_s = 0;                        ///< since the last launch
  double busy_ratio = 0;                      ///< share of that inside handlers
  LatencySummary latency{};                   ///< from the send to the handler's beginning
  std::string last_error{};
};

}  // namespace ringwave::ring
