// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ringwave/ring/letter.hpp"
#include "ringwave/ring/ring_clock.hpp"
#include "ringwave/ring/shared_memory.hpp"
#include "ringwave/ring/slot.hpp"
#include "ringwave/ring/wire_ring.hpp"

namespace ringwave::ring {

/// Messages of one kernel on a GPU to kernels elsewhere, for the host to forward: a ring for each band. The
/// number of the kernel that a message is for is its argument, which no kernel gives a message.
class FarBox {
 public:
  /// Few: the host takes them at once, unless the target has no room.
  static constexpr std::size_t kCapacity = 32;

  /// Throws OutOfMemory. [setup]
  FarBox(Device device, std::size_t max_payload_bytes)
      : memory_(device, Slot::kAlignment + kBands * kCapacity * Slot::stride(max_payload_bytes)),
        ring_(WireRing::of(memory_.data() + Slot::kAlignment, kCapacity, Slot::stride(max_payload_bytes))) {}

  /// Takes the oldest of a band; false where there is none. One thread at a time, whose letter has room.
  /// [any]
  bool try_take(std::size_t band, Letter& letter) noexcept {
    const std::uint64_t index = peek(taken()[band]);
    const bool found = read_cells_at_kernel(ring_.slot(index, band), ring_.epoch(index), ring_now_ns(),
                                            letter.head, letter.storage().data(), letter.storage().size());
    if (found) poke_release(taken()[band], index + 1);
    return found;
  }

  /// Of each band: messages that were taken, for a device. [any]
  [[nodiscard]] std::uint64_t* taken() const noexcept {
    return reinterpret_cast<std::uint64_t*>(memory_.data());
  }
  /// The slots, for a device. [any]
  [[nodiscard]] const WireRing& wire() const noexcept { return ring_; }

 private:
  SharedMemory memory_;
  WireRing ring_;
};

}  // namespace ringwave::ring
