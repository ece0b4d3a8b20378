// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ringwave/ring/message.hpp"

namespace ringwave::ring {

/// What a kernel on a device and its host tell each other beside the messages, in host memory that the device
/// reads and writes. Each half has one writer.
struct alignas(128) ControlBlock {
  // The host writes.
  std::uint32_t command;         ///< a Command, or kGiveUp or kKill
  std::uint32_t ping;            ///< a look at both clocks is wanted
  std::int64_t clock_offset_ns;  ///< from the device's clock to ring_now_ns()
  std::uint64_t floors[kBands];  ///< messages before these are to be dropped
  std::uint64_t unused[2];

  // The kernel writes.
  std::uint64_t settled[kBands];  ///< messages that were handled or dropped: their slots may be used again
  std::int64_t pong_ns;           ///< by the device's clock, when it saw
  std::uint32_t pong;             ///< this ping; both are stored at once
  std::uint32_t unused_too;
  std::uint32_t phase;         ///< a Phase; from kFailure on the Failure that led to it
  std::uint32_t code;          ///< with which the handler failed
  std::int64_t busy_since_ns;  ///< by ring_now_ns(), while a handler runs and has a limit

  static constexpr unsigned kFailure = 16;     ///< bit of `phase`
  static constexpr std::uint32_t kGiveUp = 3;  ///< the handler took too long: fail when it returns
  static constexpr std::uint32_t kKill = 4;    ///< it does not return: end the device's work

  enum Failure : std::uint32_t { none, by_handler, overrun, too_long };
};
static_assert(sizeof(ControlBlock) == 128, "a cache line each way");

}  // namespace ringwave::ring
