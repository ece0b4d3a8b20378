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
#include "ringwave/ring/copy_payload.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::ring {

/// Who takes messages out of a queue: one thread at a time, or several at once.
enum class Readers : unsigned char { one, many };

/// The messages of one band in the order in which they came, from any number of threads.
///
/// A writer claims message t by moving the tail, writes it into its place, and sets the turn of the place to
/// t + 1, with release; whoever sees the turn, with acquire, sees the message. One reader needs no locked
/// operation: it moves the head, with release, when it has read the message, and places below the head are
/// free. Many readers move the head to claim a message; they free its place by the turn t + capacity, that of
/// the writer of the next lap.
class BandQueue {
 public:
  /// `capacity` is a power of two. Messages without an id get one from `first_id` on. [setup]
  BandQueue(std::size_t capacity, std::size_t max_payload_bytes, std::uint64_t first_id, Readers readers)
      : readers_(readers),
        mask_(capacity - 1),
        first_id_(first_id),
        stride_((sizeof(Place) + max_payload_bytes + kCacheLinePair - 1) / kCacheLinePair * kCacheLinePair),
        memory_(static_cast<std::byte*>(::operator new(capacity* stride_, kAlignment))) {
    for (std::size_t i = 0; i < capacity; ++i) ::new (memory_.get() + i * stride_) Place{i, {}};
  }

  /// Appends; false when it is full. [any]
  bool try_push(const MessageHead& head, const void* payload) noexcept {
    std::uint64_t index = tail_.load(std::memory_order_relaxed);
    do {
      // Where others have claimed that index, there is room for it; the tail is beyond it then.
      if (!has_room(index)) return false;
    } while (!tail_.compare_exchange_weak(index, index + 1, std::memory_order_relaxed));
    Place& place = at(index);
    // The reader looks at the line of the turn: what goes there goes last, so that he loses it once.
    copy_payload(payload_of(place), payload, head.bytes);
    place.head = head;
    if (place.head.id == 0) place.head.id = first_id_ + index;
    place.turn.store(index + 1, std::memory_order_release);
    return true;
  }

  /// Takes the oldest, and of its payload what `room` holds; false when it is empty. By one thread at a time,
  /// or by any, as it was made for. [any]
  bool try_pop(MessageHead& head, std::span<std::byte> room) noexcept {
    std::uint64_t index = head_.load(std::memory_order_relaxed);
    do {
      if (turns_beyond(at(index), index + 1) < 0) {
        // Asked for now, it comes with the turn and not after it.
        __builtin_prefetch(payload_of(at(index)));
        return false;
      }
    } while (readers_ == Readers::many &&
             !head_.compare_exchange_weak(index, index + 1, std::memory_order_relaxed));
    Place& place = at(index);
    head = place.head;
    copy_payload(room.data(), payload_of(place), std::min<std::size_t>(head.bytes, room.size()));
    if (readers_ == Readers::many)
      place.turn.store(index + mask_ + 1, std::memory_order_release);
    else
      head_.store(index + 1, std::memory_order_release);
    return true;
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
  static constexpr std::align_val_t kAlignment{kCacheLinePair};
  struct alignas(16) Place {
    std::atomic<std::uint64_t> turn;
    MessageHead head;
  };
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete(memory, kAlignment); }
  };

  /// How far a place is beyond that turn; below 0 while it has not come.
  [[nodiscard]] static std::int64_t turns_beyond(const Place& place, std::uint64_t turn) noexcept {
    return static_cast<std::int64_t>(place.turn.load(std::memory_order_acquire) - turn);
  }

  /// Whether what was a lap before that message is out of its place.
  [[nodiscard]] bool has_room(std::uint64_t index) noexcept {
    if (readers_ == Readers::many) return turns_beyond(at(index), index) >= 0;
    // Signed: a writer that was overtaken may find the reader beyond its index.
    const auto is_free = [this, index](std::uint64_t head) {
      return static_cast<std::int64_t>(index - head) <= static_cast<std::int64_t>(mask_);
    };
    if (is_free(seen_head_.load(std::memory_order_acquire))) return true;
    const std::uint64_t head = head_.load(std::memory_order_acquire);
    seen_head_.store(head, std::memory_order_release);
    return is_free(head);
  }

  [[nodiscard]] Place& at(std::uint64_t index) const noexcept {
    return *std::launder(reinterpret_cast<Place*>(memory_.get() + (index & mask_) * stride_));
  }
  [[nodiscard]] static std::byte* payload_of(Place& place) noexcept {
    return reinterpret_cast<std::byte*>(&place) + sizeof(Place);
  }

  Readers readers_;
  std::uint64_t mask_;
  std::uint64_t first_id_;
  std::size_t stride_;
  std::unique_ptr<std::byte, Free> memory_;
  alignas(kCacheLinePair) std::atomic<std::uint64_t> tail_{0};
  std::atomic<std::uint64_t> seen_head_{0};  // by the writers, which share it
  alignas(kCacheLinePair) std::atomic<std::uint64_t> head_{0};
};

}  // namespace ringwave::ring
