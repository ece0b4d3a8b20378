// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "ringwave/ring/delivery.hpp"
#include "ringwave/ring/letter.hpp"
#include "ringwave/ring/shared_memory.hpp"
#include "ringwave/ring/slot.hpp"
#include "ringwave/ring/wire_ring.hpp"

namespace ringwave::ring {

/// Messages of one kernel to the host, in order. The kernel writes slot after slot, each in its lap's epoch;
/// the host says how far it has read in a word that the kernel looks at when the ring seems full.
class SlotRing {
 public:
  SlotRing(Device device, std::size_t capacity, std::size_t max_payload_bytes)
      : memory_(device, Slot::kAlignment + capacity * Slot::stride(max_payload_bytes)),
        ring_(WireRing::of(memory_.data() + Slot::kAlignment, capacity, Slot::stride(max_payload_bytes))) {}

  /// Takes the oldest; `empty` where there is none. The letter's storage has room. [any]
  Delivery try_receive(Letter& letter) noexcept {
    while (reading_.test_and_set(std::memory_order_acquire)) {
    }
    const std::uint64_t index = peek(*taken());
    const bool found = read_slot(ring_.slot(index), ring_.epoch(index), letter.head, letter.storage().data(),
                                 letter.storage().size());
    if (found) poke_release(*taken(), index + 1);
    reading_.clear(std::memory_order_release);
    return found ? Delivery::ok : Delivery::empty;
  }

  /// Appends a message from the kernel's thread; `full` where there is no room. [ring]
  Delivery try_send(std::uint64_t& tail, const MessageHead& head, const void* payload) noexcept {
    if (tail - seen_taken_ > ring_.mask) {
      seen_taken_ = peek_acquire(*taken());  // the reader's line travels once per lap, not once per message
      if (tail - seen_taken_ > ring_.mask) return Delivery::full;
    }
    write_plain(ring_.slot(tail), ring_.epoch(tail), head, payload);
    ++tail;
    return Delivery::ok;
  }

  [[nodiscard]] std::uint64_t* taken() const noexcept {
    return reinterpret_cast<std::uint64_t*>(memory_.data());
  }
  /// The slots, for a device. [any]
  [[nodiscard]] const WireRing& wire() const noexcept { return ring_; }

 private:
  SharedMemory memory_;
  WireRing ring_;
  std::atomic_flag reading_ = ATOMIC_FLAG_INIT;
  alignas(64) std::uint64_t seen_taken_ = 0;  // of the kernel's thread
};

}  // namespace ringwave::ring
