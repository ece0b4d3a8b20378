// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/ring/cuda/resident_arguments.hpp"
#include "ringwave/ring/delivery.hpp"
#include "ringwave/ring/kernel_phase.hpp"

namespace ringwave::ring::cuda {

/// Warps before those that handle messages: the courier and the clerk.
inline constexpr int kServiceWarps = 2;

/// Of a message of which eight lanes have a cell each, the cells that it has, a bit each, if the first one is
/// of its epoch: what it says is not believed otherwise, because it is among them. [ring]
[[nodiscard]] __device__ inline std::uint32_t needed_cells(const uint4& value, std::uint32_t group) {
  const std::uint32_t word = __shfl_sync(~0U, value.x, static_cast<int>(8 * group));
  return (1U << Slot::cells(WireHead::bytes_of(word))) - 1;
}

/// What each message took, from the workers to the clerk.
struct Diary {
  static constexpr std::uint32_t kPages = 64;

  /// Both may be a little below 0: the clocks were compared meanwhile.
  struct Page {
    std::int64_t waited_ns;
    std::int64_t ran_ns;  ///< the handler
  };

  Page pages[kPages];
  volatile std::uint32_t written;  ///< raised after a page was written
  volatile std::uint32_t read;     ///< raised after it was counted
};

/// The kernel that a block sent to last, as it was then.
struct Acquaintance {
  std::uint32_t number;  ///< of it; 0: none
  std::uint32_t max_payload;
  std::uint32_t waits;
  WireRing inbox;
  std::uint64_t* tails;
  std::uint64_t* freeds;
  std::uint64_t tail[kBands];
  std::uint64_t freed[kBands];
};

/// The shared memory of a resident block: between the warps that serve and those that handle messages.
struct ResidentBlock {
  /// The mood of a block that hears this command, and has nothing to object. [ring]
  [[nodiscard]] __device__ static constexpr std::uint64_t mood_of(std::uint32_t command) { return command; }

  alignas(16) std::uint32_t words[Slot::kWords];  ///< a message: WireHead, then a payload of up to 64 bytes
  std::uint64_t next[2][kBands];  ///< messages of each source that are settled: handled or dropped
  volatile std::uint32_t polls;   ///< looks for messages, modulo 2^32
  Diary diary;
  // The clerk writes what the host told it, a handler that it went beyond the end of a payload: the workers
  // read both at once.
  union {
    volatile std::uint64_t mood;
    struct {
      volatile std::uint32_t command;
      bool overrun;
    };
  };
  volatile std::uint64_t floors[kBands];  ///< messages before these are to be dropped
  volatile std::int64_t clock_offset_ns;

  // The workers write.
  volatile std::uint32_t leaving;  ///< they have left
  volatile std::int64_t busy_since_ns;
  volatile Phase phase;

  // The workers write what the diary does not say, the clerk the rest, which it tells.
  TelemetryBlock counts;
  std::uint32_t buckets[LatencyBuckets::kBuckets];       ///< modulo 2^32
  std::uint64_t told_buckets[LatencyBuckets::kBuckets];  ///< as the host knows them
  std::int64_t min_ns;
  std::int64_t max_ns;
  std::uint64_t outbox_tail;
  std::uint64_t dead_tail;
  std::uint64_t far_tail[kBands];
  std::uint64_t far_taken[kBands];  ///< by the host, as far as is known
  std::uint32_t pick;               ///< what all workers do next: source and band
  std::uint64_t index;              ///< of the message
  std::uint32_t failure;            ///< a ControlBlock::Failure
  std::uint32_t code;
  std::uint32_t delivery;  ///< what the first worker found, for all
  std::uint64_t found;     ///< the same
  Acquaintance acquaintance;
  std::byte* target_slot;
  std::uint32_t target_epoch;
  std::uint32_t target_argument;
  alignas(16) std::byte reply[Slot::kMostCellBytes];  ///< a short one that is written in place

  // Other blocks of a cluster write.
  BlockOrder order;
  std::uint32_t
      arrivals[kMostCluster];  ///< of each block: the last meeting it came to, and what it said there
  Tidings tidings[2];          ///< of the first block, by turns
  std::uint32_t said;          ///< at the last meeting, by any block
};

}  // namespace ringwave::ring::cuda
