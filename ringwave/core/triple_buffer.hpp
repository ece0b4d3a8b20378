// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <utility>

#include "ringwave/core/realtime.hpp"
#include "ringwave/core/spsc_ring.hpp"

namespace ringwave {

/// The newest value from one writer thread to one reader thread. Neither ever waits: the writer always has a
/// slot to fill, the reader always has a whole value, and values that nobody read in time are overwritten.
template <class T>
class TripleBuffer {
 public:
  TripleBuffer() = default;

  /// All three slots start as copies of `initial`. [setup]
  explicit TripleBuffer(const T& initial) : slots_{Slot{initial}, Slot{initial}, Slot{initial}} {}

  TripleBuffer(const TripleBuffer&) = delete;  // two threads hold it by reference
  TripleBuffer& operator=(const TripleBuffer&) = delete;

  /// The slot to fill; it holds an old value until it is overwritten. Writer only. [audio]
  RW_REALTIME T& write_slot() noexcept { return slots_[writing_].value; }

  /// Hands the filled slot over and takes another one. Writer only. [audio]
  RW_REALTIME void publish() noexcept {
    writing_ = shared_.exchange(writing_ | kFresh, std::memory_order_acq_rel) & kIndex;
  }

  /// Takes the newest value, if there is one since the last call. Reader only. [audio]
  RW_REALTIME bool update() noexcept {
    if ((shared_.load(std::memory_order_relaxed) & kFresh) == 0) return false;
    reading_ = shared_.exchange(reading_, std::memory_order_acq_rel) & kIndex;
    return true;
  }

  /// The value that the last update() took. Reader only. [audio]
  RW_REALTIME const T& read_slot() const noexcept { return slots_[reading_].value; }

 private:
  static constexpr unsigned kIndex = 3;
  static constexpr unsigned kFresh = 4;
  struct alignas(kCacheLinePair) Slot {
    T value{};
  };

  std::array<Slot, 3> slots_{};
  alignas(kCacheLinePair) unsigned writing_ = 0;
  alignas(kCacheLinePair) std::atomic<unsigned> shared_{1};
  alignas(kCacheLinePair) unsigned reading_ = 2;
};

}  // namespace ringwave
