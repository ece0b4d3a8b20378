// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ringwave/ring/control_block.hpp"
#include "ringwave/ring/latency_buckets.hpp"
#include "ringwave/ring/slot.hpp"
#include "ringwave/ring/telemetry.hpp"
#include "ringwave/ring/wire_ring.hpp"

namespace ringwave::ring {

/// A kernel as others on the same device see it, in device memory.
struct Peer {
  static constexpr std::uint64_t kClosed = std::uint64_t{1} << 63U;  ///< in a tail: the kernel has left

  WireRing inbox{};
  std::uint64_t* tail = nullptr;   ///< of each band: messages that were claimed
  std::uint64_t* freed = nullptr;  ///< of each band
  std::uint32_t max_payload = 0;
  std::uint32_t waits = 0;   ///< senders wait for room
  std::uint32_t launch = 0;  ///< that made it resident; 0: it is not
};

/// What a kernel keeps on the device from one start to the next.
struct ResidentMemory {
  std::uint64_t next[2][kBands];           ///< messages of each source that are settled
  alignas(32) std::uint64_t tail[kBands];  ///< of the inbox for other kernels, as in Peer
  std::uint64_t freed[kBands];
  std::uint64_t outbox_tail;
  std::uint64_t dead_tail;
  std::uint64_t far_tail[kBands];  ///< of what is handed to the host for kernels elsewhere
  TelemetryBlock counts;
  std::uint64_t buckets[LatencyBuckets::kBuckets];
  std::int64_t min_ns;
  std::int64_t max_ns;
  std::uint32_t window_next;
  std::uint64_t window[1024];  ///< ids of the last messages
};

/// Blocks of a cluster: 8 on every device that has clusters, more where the kernel fits so.
inline constexpr std::uint32_t kMostCluster = 16;

/// What the first block of a kernel tells the others: a message to handle, or to leave.
struct alignas(16) BlockOrder {
  std::uint32_t head[sizeof(MessageHead) / 4];
  const std::byte* payload;  ///< a long one; null: it is in `bytes`
  std::int64_t begin_ns;
  std::int64_t clock_offset_ns;
  std::uint32_t leaves;
  std::uint32_t number;  ///< raised when the rest is there
  alignas(16) std::byte bytes[Slot::kMostCellBytes];
};

/// A word that the first block tells the others: its two halves, each beside the number of the telling.
struct Tidings {
  std::uint64_t halves[2];
};

/// What the blocks of a kernel have in common, in device memory; zeros at the start.
struct BlocksMemory {
  BlockOrder order;        ///< of a grid; the blocks of a cluster have one each
  std::uint32_t arrivals;  ///< at meetings of a grid
  std::uint32_t says;      ///< what any block of a grid said of itself at the meeting
  std::uint32_t command;   ///< as the first block heard it
  std::uint32_t code;      ///< with which a handler failed
  Tidings tidings[2];      ///< of the first block of a grid, by turns
  alignas(16) std::byte reply[Slot::kMostCellBytes];  ///< a short one that is written in place
};

/// All that a resident kernel is started with.
struct ResidentArguments {
  void* state = nullptr;
  std::byte* payload = nullptr;  ///< room for a long one
  ResidentMemory* memory = nullptr;
  BlocksMemory* blocks_memory = nullptr;
  ControlBlock* control = nullptr;
  TelemetryBlock* telemetry = nullptr;
  LatencyBuckets* latency = nullptr;
  WireRing inbox[2]{};  ///< from the host, from other kernels, in device memory
  WireRing mail{};      ///< where the host's are carried from; no slots: the host stores them there itself
  WireRing outbox{};
  std::uint64_t* outbox_taken = nullptr;  ///< messages that the host has read
  WireRing dead{};
  std::uint64_t* dead_taken = nullptr;
  std::byte* desk = nullptr;
  std::uint32_t desk_stride = 0;
  std::uint32_t max_reply = 0;
  std::uint32_t max_payload = 0;
  Peer* peers = nullptr;                       ///< of every kernel of the runtime on this device, by number
  const std::uint32_t* whereabouts = nullptr;  ///< of every kernel of the runtime, by number
  std::uint32_t place = 0;                     ///< its own; 0: it sends to all by the host
  WireRing far{};
  std::uint64_t* far_taken = nullptr;  ///< of each band: messages that the host has taken
  std::uint32_t window = 0;
  std::uint32_t waits = 0;             ///< for room in the outbox
  std::uint64_t skip[2][kBands] = {};  ///< messages of each source that the host has answered
  std::uint32_t drops = 0;             ///< the host may want messages dropped
  std::uint32_t tells_busy = 0;        ///< a handler has a limit
  std::uint32_t launch = 0;            ///< no other of this process has the same
  std::uint32_t blocks = 1;
  std::uint32_t is_cluster = 0;  ///< they reach each other's shared memory
  std::uint16_t number = 0;
  std::uint16_t targets = 0;
  std::uint16_t target[64] = {};
};

}  // namespace ringwave::ring
