// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

#include "ringwave/core/error.hpp"
#include "ringwave/core/realtime.hpp"

namespace ringwave {

/// Distance at which two variables do not disturb each other: two lines, because x86 prefetches them in
/// pairs.
inline constexpr std::size_t kCacheLinePair = 128;

/// A first-in first-out ring between one producer thread and one consumer thread.
///
/// Each side keeps a copy of the other's index and looks at the real one only when the copy says full or
/// empty, so that a cache line travels once per lap and not once per item. A side that spins on a ring that
/// stays nearly full or nearly empty looks at most every 0.4 us: see Sight::look_again.
template <class T>
class SpscRing {
  static_assert(std::is_trivially_copyable_v<T>,
                "items are copied into a ring without constructors or destructors");

 public:
  /// A ring that holds at least `capacity` items: the next power of two. Throws InvalidArgument for 0.
  /// [setup]
  explicit SpscRing(std::size_t capacity) : mask_(checked(capacity) - 1), items_(new T[mask_ + 1]) {}

  SpscRing(const SpscRing&) = delete;  // two threads hold it by reference
  SpscRing& operator=(const SpscRing&) = delete;

  /// Items that fit. [any]
  [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }

  /// Items inside, as one side sees it; the other may be changing it. [any]
  [[nodiscard]] std::size_t size() const noexcept {
    return tail_.load(std::memory_order_acquire) - head_.load(std::memory_order_acquire);
  }

  /// Appends one item; false when the ring is full. Producer only. [audio]
  RW_REALTIME bool try_push(const T& item) noexcept {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - of_head_.seen > mask_ && !of_head_.look(head_, little_)) return false;
    items_[tail & mask_] = item;
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  /// Takes the oldest item; false when the ring is empty. Consumer only. [audio]
  RW_REALTIME bool try_pop(T& item) noexcept {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == of_tail_.seen && !of_tail_.look(tail_, little_)) return false;
    item = items_[head & mask_];
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

  /// Appends as many of `items` as fit and returns how many. Producer only. [audio]
  RW_REALTIME std::size_t write(std::span<const T> items) noexcept {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    of_head_.seen = head_.load(std::memory_order_acquire);
    const std::size_t count = std::min(items.size(), capacity() - (tail - of_head_.seen));
    const std::size_t first = std::min(count, capacity() - (tail & mask_));
    std::copy_n(items.data(), first, items_.get() + (tail & mask_));
    std::copy_n(items.data() + first, count - first, items_.get());
    tail_.store(tail + count, std::memory_order_release);
    return count;
  }

  /// Takes up to `items.size()` of the oldest items and returns how many. Consumer only. [audio]
  RW_REALTIME std::size_t read(std::span<T> items) noexcept {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    of_tail_.seen = tail_.load(std::memory_order_acquire);
    const std::size_t count = std::min(items.size(), of_tail_.seen - head);
    const std::size_t first = std::min(count, capacity() - (head & mask_));
    std::copy_n(items_.get() + (head & mask_), first, items.data());
    std::copy_n(items_.get(), count - first, items.data() + first);
    head_.store(head + count, std::memory_order_release);
    return count;
  }

 private:
  static std::size_t checked(std::size_t capacity) {
    constexpr std::size_t kLargest = std::size_t{1} << 40;
    if (capacity == 0 || capacity > kLargest)
      throw InvalidArgument("a ring needs a capacity from 1 to 2^40 items, not " + std::to_string(capacity));
    return std::bit_ceil(capacity);
  }

  /// What one side knows of the other's index. On lines of its own: beside the index that this side
  /// publishes, every look of the other side would take it away.
  struct alignas(kCacheLinePair) Sight {
    /// Looks at the other's index; false when it has not moved.
    RW_REALTIME bool look(const std::atomic<std::size_t>& index, std::size_t little) noexcept {
      if (refusals != 0) return look_again(index, little);
      const std::size_t now = index.load(std::memory_order_acquire);
      if (now == seen) {
        refusals = 1;
        return false;
      }
      seen = now;
      return true;
    }

    /// A look after a refusal.
    ///
    /// At the edge of full or empty a side that spins would take the other's index after every item, and
    /// each item would cost both sides a cache-line trip: 25 ns instead of 5. So a side that waited and
    /// gained little takes what it gained without delay, and then lets the other get ahead before it looks
    /// again.
    [[gnu::noinline]] bool look_again(const std::atomic<std::size_t>& index, std::size_t little) noexcept {
      if (refusals == kRests) {
        constexpr int kTurns = 1200;  // of an empty loop: several cache-line trips
        for (int turn = 0; turn < kTurns; ++turn) std::atomic_signal_fence(std::memory_order_seq_cst);
        refusals = 0;
      }
      const std::size_t now = index.load(std::memory_order_acquire);
      if (now == seen) {
        refusals = std::min(refusals + 1, 2);
        return false;
      }
      // One refusal is the end of a loop that empties a ring; two are a side that waits.
      refusals = refusals == 2 && now - seen < little ? kRests : 0;
      seen = now;
      return true;
    }

    static constexpr int kRests = -1;
    std::size_t seen = 0;
    int refusals = 0;  // since the index last moved, up to 2; kRests: let the other side get ahead first
  };

  const std::size_t mask_;
  const std::size_t little_ = capacity() / 16;
  const std::unique_ptr<T[]> items_;
  alignas(kCacheLinePair) std::atomic<std::size_t> tail_{0};  // written by the producer
  Sight of_head_;                                             // the producer's
  alignas(kCacheLinePair) std::atomic<std::size_t> head_{0};  // written by the consumer
  Sight of_tail_;                                             // the consumer's
};

}  // namespace ringwave
