// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/ring/cuda/resident_arguments.hpp"
#include "ringwave/ring/delivery.hpp"
#include "ringwave/ring/kernel_phase.hpp"
#include "ringwave/ring/slot.hpp"

namespace ringwave::ring::cuda {

/// Warps that carry messages, before those that handle them: one for each source.
inline constexpr int kCarriers = static_cast<int>(kSources);

/// The shared memory of a resident block: between the warps that carry messages and those that handle them.
struct ResidentBlock {
  ResidentArguments arguments;
  Stage stage;
  volatile std::uint32_t command;
  volatile std::uint32_t leaving;  ///< the workers have left
  volatile std::int64_t clock_offset_ns;
  volatile std::int64_t busy_since_ns;
  volatile Phase phase;

  // The workers' own; the carrier of the host's messages copies the counts out.
  TelemetryBlock counts;
  std::uint64_t carrier_dropped[kSources];
  std::uint64_t polls;
  std::uint32_t buckets[LatencyBuckets::kBuckets];
  std::int64_t min_ns;
  std::int64_t max_ns;
  std::uint64_t outbox_tail;
  std::uint64_t outbox_taken;
  std::uint64_t dead_tail;
  std::uint32_t pick;  ///< what all workers do next
  std::int64_t begin_ns;
  std::uint32_t answered;  ///< the message in hand needs no answer any more
  std::uint32_t refused;
  std::uint32_t failure;  ///< a ControlBlock::Failure
  std::uint32_t code;
  bool overrun;
  std::uint32_t reply_bytes;
  std::uint32_t delivery;  ///< what the leader found, for all
  std::byte* target_slot;
  std::uint32_t target_epoch;
  std::uint32_t scratch[Slot::kCells];
};

}  // namespace ringwave::ring::cuda
