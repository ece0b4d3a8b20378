// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>

#include "ringwave/core/spsc_ring.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::ring {

/// The messages of one band in the order in which they came, between any number of threads on both sides.
///
/// Every place has a turn. Turn t is for the writer of message t, t + 1 for its reader, t + capacity for the
/// writer of the next lap. Writers and readers claim a message by moving their index, and hand the place on
/// by setting its turn, with release; whoever sees the turn, with acquire, sees the message.
class BandQueue {
 public:
  /// `capacity` is a power of two. Messages without an id get one from `first_id` on. [setup]
  BandQueue(std::size_t capacity, std::size_t max_payload_bytes, std::uint64_t first_id)
      : mask_(capacity - 1),
        first_id_(first_id),
        stride_((sizeof(Place) + max_payload_bytes + 63) / 64 * 64),
        memory_(static_cast<std::byte*>(::operator new (capacity* stride_, std::align_val_t{64}))) {
    for (std::size_t i = 0; i < capacity; ++i) ::new (memory_.get() + i * stride_) Place{i, {}};
  }

  /// Appends; false when it is full. [any]
  bool try_push(const MessageHead& head, const void* payload) noexcept {
    std::uint64_t index = tail_.load(std::memory_order_relaxed);
    for (;;) {
      Place& place = at(index);
      const auto ahead = static_cast<std::int64_t>(place.turn.load(std::memory_order_acquire) - index);
      if (ahead < 0) return false;
      if (ahead > 0) {
        index = tail_.load(std::memory_order_relaxed);
      } else if (tail_.compare_exchange_weak(index, index + 1, std::memory_order_relaxed)) {
        place.head = head;
        if (place.head.id == 0) place.head.id = first_id_ + index;
        if (head.bytes > 0) std::memcpy(payload_of(place), payload, head.bytes);
        place.turn.store(index + 1, std::memory_order_release);
        return true;
      }
    }
  }

  /// Takes the oldest, and of its payload what `room` holds; false when it is empty. [any]
  bool try_pop(MessageHead& head, std::span<std::byte> room) noexcept {
    std::uint64_t index = head_.load(std::memory_order_relaxed);
    for (;;) {
      Place& place = at(index);
      const auto ahead = static_cast<std::int64_t>(place.turn.load(std::memory_order_acquire) - (index + 1));
      if (ahead < 0) return false;
      if (ahead > 0) {
        index = head_.load(std::memory_order_relaxed);
      } else if (head_.compare_exchange_weak(index, index + 1, std::memory_order_relaxed)) {
        head = place.head;
        const std::size_t bytes = std::min<std::size_t>(head.bytes, room.size());
        if (bytes > 0) std::memcpy(room.data(), payload_of(place), bytes);
        place.turn.store(index + mask_ + 1, std::memory_order_release);
        return true;
      }
    }
  }

  /// Messages that ever came in. [any]
  [[nodiscard]] std::uint64_t pushed() const noexcept { return tail_.load(std::memory_order_acquire); }

  /// Messages inside, as they seem from here. [any]
  [[nodiscard]] std::uint64_t size() const noexcept {
    const std::uint64_t head = head_.load(std::memory_order_acquire);
    const std::uint64_t tail = tail_.load(std::memory_order_acquire);
    return tail > head ? tail - head : 0;
  }

 private:
  struct alignas(16) Place {
    std::atomic<std::uint64_t> turn;
    MessageHead head;
  };
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{64}); }
  };

  [[nodiscard]] Place& at(std::uint64_t index) const noexcept {
    return *std::launder(reinterpret_cast<Place*>(memory_.get() + (index & mask_) * stride_));
  }
  [[nodiscard]] static std::byte* payload_of(Place& place) noexcept {
    return reinterpret_cast<std::byte*>(&place) + sizeof(Place);
  }

  std::uint64_t mask_;
  std::uint64_t first_id_;
  std::size_t stride_;
  std::unique_ptr<std::byte, Free> memory_;
  alignas(kCacheLinePair) std::atomic<std::uint64_t> tail_{0};
  alignas(kCacheLinePair) std::atomic<std::uint64_t> head_{0};
};

}  // namespace ringwave::ring
