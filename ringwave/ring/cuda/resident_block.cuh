// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/ring/cuda/resident_arguments.hpp"
#include "ringwave/ring/cuda/trays.cuh"
#include "ringwave/ring/delivery.hpp"
#include "ringwave/ring/kernel_phase.hpp"

namespace ringwave::ring::cuda {

/// Warps before those that handle messages: a looker for each source, and the clerk.
inline constexpr int kServiceWarps = 3;

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
  std::uint32_t launch;  ///< of it; 0: none
  std::uint32_t max_payload;
  std::uint32_t waits;
  WireRing inbox;
  std::uint64_t* tails;
  std::uint64_t* freeds;
  std::uint64_t tail[kBands];
  std::uint64_t freed[kBands];
};

/// The shared memory of a resident block: between the warps that carry messages and those that handle them.
struct ResidentBlock {
  /// The mood of a block that hears this command, and has nothing to object. [ring]
  [[nodiscard]] __device__ static constexpr std::uint64_t mood_of(std::uint32_t command) { return command; }

  Trays trays;
  std::uint64_t next[2][kBands];  ///< messages of each source that are settled: handled or dropped
  volatile std::uint32_t polls;   ///< looks for the host's, modulo 2^32
  Diary diary;
  // The host's looker writes what the host told it, a handler that it went beyond the end of a payload: the
  // workers read both at once.
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
  std::uint32_t pick;     ///< what all workers do next: a place
  std::uint64_t index;    ///< of the message there
  std::uint32_t failure;  ///< a ControlBlock::Failure
  std::uint32_t code;
  std::uint32_t delivery;  ///< what the first worker found, for all
  std::uint64_t found;     ///< the same
  Acquaintance acquaintance;
  std::byte* target_slot;
  std::uint32_t target_epoch;
  alignas(16) std::byte reply[Slot::kMostCellBytes];  ///< a short one that is written in place

  // Other blocks of a cluster write.
  BlockOrder order;
  std::uint32_t
      arrivals[kMostCluster];  ///< of each block: the last meeting it came to, and what it said there
  std::uint64_t agreed[2];     ///< what the first block knew at the last meetings, by turns
  std::uint32_t said;          ///< at the last meeting, by any block
};

}  // namespace ringwave::ring::cuda
