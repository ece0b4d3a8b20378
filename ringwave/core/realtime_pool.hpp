// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "ringwave/core/realtime.hpp"
#include "ringwave/core/spsc_ring.hpp"
#include "ringwave/core/thread_slot.hpp"

namespace ringwave {

/// Fixed blocks of memory that any thread may take and give back in a few tens of nanoseconds, without a lock
/// or a system call. All memory is taken, and touched, at construction.
///
/// Each block has one word that counts its loans: odd while it is out. Taking and giving back are one
/// compare-and-swap each, which also tells a loan that has ended from one that has not. A search starts where
/// a block was last given back or taken, and looks at every block at most once.
class RealtimePool {
 public:
  struct Spec {
    std::size_t block_bytes = 4096;
    std::size_t blocks = 64;
  };

  /// One block on loan. Empty when the pool was exhausted.
  class Handle {
   public:
    Handle() noexcept = default;
    [[nodiscard]] std::span<std::byte> bytes() const noexcept { return bytes_; }
    explicit operator bool() const noexcept { return bytes_.data() != nullptr; }

   private:
    friend class RealtimePool;
    Handle(std::byte* data, std::size_t bytes, std::size_t index, std::uint32_t loan) noexcept
        : bytes_(data, bytes), index_(index), loan_(loan) {}

    std::span<std::byte> bytes_;
    std::size_t index_ = 0;
    std::uint32_t loan_ = 0;  // the block's word during this loan
  };

  enum class Release : unsigned char {
    ok,
    foreign_block,   ///< the handle is empty or of another pool; nothing was done
    released_twice,  ///< this loan had ended already; nothing was done
  };

  struct Statistics {
    std::uint64_t exhausted = 0;
    std::uint64_t foreign_blocks = 0;
    std::uint64_t released_twice = 0;
  };

  /// Allocates and touches every block; each starts on a cache line. Throws InvalidArgument for no blocks,
  /// empty blocks or more than 2^31 of them. [setup]
  explicit RealtimePool(Spec spec);

  RealtimePool(const RealtimePool&) = delete;  // handles point into it
  RealtimePool& operator=(const RealtimePool&) = delete;

  /// Takes a block; an empty handle, and one more `exhausted`, when there is none. [audio]
  RW_REALTIME [[nodiscard]] Handle acquire() noexcept {
    std::atomic<std::size_t>& hint = hint_of_this_thread();
    std::size_t index = hint.load(std::memory_order_relaxed);
    for (std::size_t looked = 0; looked < blocks_; ++looked) {
      std::uint32_t loan = loans_[index].load(std::memory_order_relaxed);
      if (loan % 2 == 0 && loans_[index].compare_exchange_strong(loan, loan + 1, std::memory_order_acquire,
                                                                 std::memory_order_relaxed)) {
        hint.store(next(index), std::memory_order_relaxed);
        return {memory_.get() + index * stride_, block_bytes_, index, loan + 1};
      }
      index = next(index);
    }
    exhausted_.fetch_add(1, std::memory_order_relaxed);
    return {};
  }

  /// Gives a block back. Never harms the pool, whatever handle it gets. [audio]
  RW_REALTIME Release release(const Handle& handle) noexcept {
    if (handle.index_ >= blocks_ || handle.bytes_.data() != memory_.get() + handle.index_ * stride_) {
      foreign_blocks_.fetch_add(1, std::memory_order_relaxed);
      return Release::foreign_block;
    }
    std::uint32_t loan = handle.loan_;
    if (!loans_[handle.index_].compare_exchange_strong(loan, loan + 1, std::memory_order_release,
                                                       std::memory_order_relaxed)) {
      released_twice_.fetch_add(1, std::memory_order_relaxed);
      return Release::released_twice;
    }
    hint_of_this_thread().store(handle.index_, std::memory_order_relaxed);
    return Release::ok;
  }

  /// Blocks on loan, by counting them: exact only while nobody else takes or gives. [any]
  [[nodiscard]] std::size_t in_use() const noexcept;

  [[nodiscard]] std::size_t blocks() const noexcept { return blocks_; }
  [[nodiscard]] std::size_t block_bytes() const noexcept { return block_bytes_; }

  /// What went wrong so far. [any]
  [[nodiscard]] Statistics statistics() const noexcept;

 private:
  struct FreeMemory {
    void operator()(std::byte* memory) const noexcept;
  };

  struct alignas(kCacheLinePair) Hint {
    std::atomic<std::size_t> index{0};
  };
  static constexpr std::size_t kHints = 8;

  [[nodiscard]] std::atomic<std::size_t>& hint_of_this_thread() noexcept {
    return hints_[thread_slot() % kHints].index;
  }
  [[nodiscard]] std::size_t next(std::size_t index) const noexcept {
    return index + 1 == blocks_ ? 0 : index + 1;
  }

  std::size_t blocks_;
  std::size_t block_bytes_;
  std::size_t stride_;
  std::unique_ptr<std::byte, FreeMemory> memory_;
  std::unique_ptr<std::atomic<std::uint32_t>[]> loans_;  // a word a block: odd while it is out
  std::array<Hint, kHints> hints_;                       // where the threads' searches start
  std::atomic<std::uint64_t> exhausted_{0};
  std::atomic<std::uint64_t> foreign_blocks_{0};
  std::atomic<std::uint64_t> released_twice_{0};
};

}  // namespace ringwave
