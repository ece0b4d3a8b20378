// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ringwave/ring/control_block.hpp"
#include "ringwave/ring/latency_buckets.hpp"
#include "ringwave/ring/slot.hpp"
#include "ringwave/ring/telemetry.hpp"

namespace ringwave::ring {

/// A ring of slots as a device sees it.
struct WireRing {
  std::byte* slots = nullptr;
  std::uint64_t* taken = nullptr;  ///< messages that its reader has taken
  std::uint64_t mask = 0;
  std::uint32_t shift = 0;
  std::uint32_t stride = 0;

  [[nodiscard]] RW_HOST_DEVICE std::byte* slot(std::uint64_t index) const {
    return slots + (index & mask) * stride;
  }
  [[nodiscard]] RW_HOST_DEVICE std::uint32_t epoch(std::uint64_t index) const {
    return static_cast<std::uint32_t>(index >> shift) + 1;
  }
};

/// An inbox as a device sees it: four rings, one behind the other.
struct WireInbox {
  std::byte* slots = nullptr;
  std::uint64_t* freed = nullptr;        ///< of each band
  const std::uint64_t* floor = nullptr;  ///< null where nothing is dropped
  std::uint64_t mask = 0;
  std::uint32_t shift = 0;
  std::uint32_t stride = 0;

  [[nodiscard]] RW_HOST_DEVICE std::byte* slot(std::size_t band, std::uint64_t index) const {
    return slots + (band * (mask + 1) + (index & mask)) * stride;
  }
  [[nodiscard]] RW_HOST_DEVICE std::uint32_t epoch(std::uint64_t index) const {
    return static_cast<std::uint32_t>(index >> shift) + 1;
  }
};

/// A kernel as others on the same device see it, in device memory.
struct Peer {
  std::byte* slots = nullptr;
  std::uint64_t* tail = nullptr;
  std::uint64_t* freed = nullptr;
  std::uint64_t mask = 0;
  std::uint32_t shift = 0;
  std::uint32_t stride = 0;
  std::uint32_t max_payload = 0;
  std::uint32_t waits = 0;  ///< senders wait for room
  std::uint32_t open = 0;   ///< it is resident
};

/// Messages that wait in shared memory for each source and band.
inline constexpr std::uint32_t kStage = 8;
inline constexpr std::size_t kSources = 2;  ///< the host, other kernels

/// A message that came over the bus and waits in shared memory.
struct alignas(16) Staged {
  std::uint32_t words[Slot::kCells];  ///< head, then up to 80 bytes of payload
  std::uint64_t index;                ///< in its ring
  const std::byte* raw;               ///< where a longer payload is
};

/// The stage: a ring of messages for each source and band.
struct Stage {
  Staged places[kSources][kBands][kStage];
  std::uint32_t staged[kSources][kBands];   ///< a carrier raises it after it filled a place
  std::uint32_t handled[kSources][kBands];  ///< the workers raise it after they are done with it
};

/// What still waited on the stage when a kernel left, for the host to read.
struct Leftover {
  std::uint32_t count;
  std::uint32_t is_valid;      ///< the kernel left by itself
  std::uint64_t next[kBands];  ///< messages of the host that were staged or dropped
  MessageHead heads[kSources * kBands * kStage];
};

/// What a kernel keeps on the device from one start to the next.
struct ResidentMemory {
  Stage stage;
  std::uint64_t next[kSources][kBands];    ///< messages that were staged or dropped
  alignas(32) std::uint64_t tail[kBands];  ///< of the inbox for other kernels
  std::uint64_t freed[kBands];
  std::uint64_t outbox_tail;
  std::uint64_t dead_tail;
  TelemetryBlock counts;
  std::uint32_t buckets[LatencyBuckets::kBuckets];
  std::int64_t min_ns;
  std::int64_t max_ns;
  std::uint32_t window_next;
  std::uint64_t window[1024];  ///< ids of the last messages
};

/// All that a resident kernel is started with.
struct ResidentArguments {
  void* state = nullptr;
  ResidentMemory* memory = nullptr;
  ControlBlock* control = nullptr;
  TelemetryBlock* telemetry = nullptr;
  LatencyBuckets* latency = nullptr;
  BandBlock* bands = nullptr;
  Leftover* leftover = nullptr;
  WireInbox inbox{};    ///< from the host
  WireInbox peerbox{};  ///< from other kernels
  WireRing outbox{};
  WireRing dead{};
  std::byte* desk = nullptr;
  std::uint32_t desk_stride = 0;
  std::uint32_t max_reply = 0;
  std::uint32_t max_payload = 0;
  Peer* peers = nullptr;  ///< of every kernel of the runtime, by number
  std::uint32_t window = 0;
  std::uint32_t waits = 0;          ///< for room in the outbox
  std::uint32_t forgets = 0;        ///< what waited on the stage was answered by the host
  std::uint64_t skip[kBands] = {};  ///< and so was what came before these
  std::uint32_t tells_busy = 0;     ///< a handler has a limit
  std::uint16_t number = 0;
  std::uint16_t targets = 0;
  std::uint16_t target[64] = {};
};

}  // namespace ringwave::ring
