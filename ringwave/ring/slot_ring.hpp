// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include "ringwave/ring/delivery.hpp"
#include "ringwave/ring/letter.hpp"
#include "ringwave/ring/shared_memory.hpp"
#include "ringwave/ring/slot.hpp"

namespace ringwave::ring {

/// Messages of one kernel to the host, in order. The kernel writes slot after slot, each in its lap's epoch;
/// the host says how far it has read in a word that the kernel looks at when the ring seems full.
class SlotRing {
 public:
  SlotRing(Device device, std::size_t capacity, std::size_t max_payload_bytes)
      : mask_(capacity - 1),
        shift_(static_cast<unsigned>(std::countr_zero(capacity))),
        stride_(Slot::stride(max_payload_bytes)),
        memory_(device, 64 + capacity * stride_) {}

  /// The lap of a message, which is never that of fresh memory. [any]
  [[nodiscard]] std::uint32_t epoch(std::uint64_t index) const noexcept {
    return static_cast<std::uint32_t>(index >> shift_) + 1;
  }

  /// Takes the oldest; `empty` where there is none. The letter's storage has room. [any]
  Delivery try_receive(Letter& letter) noexcept {
    while (reading_.test_and_set(std::memory_order_acquire)) {
    }
    const std::uint64_t index = peek(*taken());
    const bool found =
        read_slot(slot(index), epoch(index), letter.head, letter.storage().data(), letter.storage().size());
    if (found) poke_release(*taken(), index + 1);
    reading_.clear(std::memory_order_release);
    return found ? Delivery::ok : Delivery::empty;
  }

  /// Appends a message from the kernel's thread; `full` where there is no room. [ring]
  Delivery try_send(std::uint64_t& tail, const MessageHead& head, const void* payload) noexcept {
    if (tail - seen_taken_ > mask_) {
      seen_taken_ = peek_acquire(*taken());  // the reader's line travels once per lap, not once per message
      if (tail - seen_taken_ > mask_) return Delivery::full;
    }
    write_plain(slot(tail), epoch(tail), head, payload);
    ++tail;
    return Delivery::ok;
  }

  [[nodiscard]] std::uint64_t* taken() const noexcept {
    return reinterpret_cast<std::uint64_t*>(memory_.data());
  }
  /// For a device. [any]
  [[nodiscard]] std::byte* slots() const noexcept { return memory_.data() + 64; }
  [[nodiscard]] std::size_t stride() const noexcept { return stride_; }
  [[nodiscard]] std::uint64_t mask() const noexcept { return mask_; }

 private:
  [[nodiscard]] std::byte* slot(std::uint64_t index) const noexcept {
    return slots() + (index & mask_) * stride_;
  }

  std::uint64_t mask_;
  unsigned shift_;
  std::size_t stride_;
  SharedMemory memory_;
  std::atomic_flag reading_ = ATOMIC_FLAG_INIT;
  alignas(64) std::uint64_t seen_taken_ = 0;  // of the kernel's thread
};

}  // namespace ringwave::ring
