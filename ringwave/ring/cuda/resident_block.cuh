// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/ring/cuda/resident_arguments.hpp"
#include "ringwave/ring/delivery.hpp"
#include "ringwave/ring/kernel_phase.hpp"
#include "ringwave/ring/slot.hpp"

namespace ringwave::ring::cuda {

/// Warps before those that handle messages: a carrier for each source, and the clerk.
inline constexpr int kServiceWarps = static_cast<int>(kSources) + 1;

/// The shared memory of a resident block: between the warps that carry messages and those that handle them.
struct ResidentBlock {
  Stage stage;
  std::uint64_t next[kSources][kBands];  ///< messages that were staged or dropped
  volatile std::uint32_t command;
  volatile std::uint32_t leaving;  ///< the workers have left
  volatile std::int64_t clock_offset_ns;
  volatile std::int64_t busy_since_ns;
  volatile Phase phase;

  // The workers count; the clerk tells.
  TelemetryBlock counts;
  std::uint64_t carrier_dropped[kSources];
  std::uint64_t polls[kSources];
  std::uint32_t buckets[LatencyBuckets::kBuckets];
  std::uint32_t told_buckets[LatencyBuckets::kBuckets];  ///< as the host knows them
  std::int64_t min_ns;
  std::int64_t max_ns;
  std::uint64_t outbox_tail;
  std::uint64_t outbox_taken;
  std::uint64_t dead_tail;
  std::uint32_t pick;     ///< what all workers do next
  std::int64_t begin_ns;  ///< of the message in hand
  std::uint32_t failure;  ///< a ControlBlock::Failure
  std::uint32_t code;
  std::uint32_t delivery;  ///< what the first worker found, for all
  std::byte* target_slot;
  std::uint32_t target_epoch;
  alignas(16) std::byte reply[Slot::kMostCellBytes];  ///< a short one that is written in place
};

}  // namespace ringwave::ring::cuda
