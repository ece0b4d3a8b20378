// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "ringwave/core/realtime.hpp"
#include "ringwave/core/spsc_ring.hpp"

namespace ringwave {

/// Fixed blocks of memory that any thread may take and give back in a few tens of nanoseconds, without a lock
/// or a system call. All memory is taken, and touched, at construction.
///
/// A block is one bit: set while it is free. Taking clears the bit and giving back sets it, each in one
/// atomic operation whose old value says whether the other side was faster, or the block was free already.
class RealtimePool {
 public:
  struct Spec {
    std::size_t block_bytes = 4096;
    std::size_t blocks = 64;
  };

  /// One block on loan. Empty when the pool was exhausted.
  class Handle {
   public:
    [[nodiscard]] std::span<std::byte> bytes() const noexcept { return bytes_; }
    explicit operator bool() const noexcept { return bytes_.data() != nullptr; }

   private:
    friend class RealtimePool;
    std::span<std::byte> bytes_;
    std::uint32_t index_ = 0;
    std::uint32_t loan_ = 0;  // which of the block's loans this is
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
  RW_REALTIME [[nodiscard]] Handle acquire() noexcept;

  /// Gives a block back. Never harms the pool, whatever handle it gets. [audio]
  RW_REALTIME Release release(const Handle& handle) noexcept;

  /// Blocks on loan, by counting the bits: exact only while nobody else takes or gives. [any]
  [[nodiscard]] std::size_t in_use() const noexcept;

  [[nodiscard]] std::size_t blocks() const noexcept { return blocks_; }
  [[nodiscard]] std::size_t block_bytes() const noexcept { return block_bytes_; }

  /// What went wrong so far. [any]
  [[nodiscard]] Statistics statistics() const noexcept;

 private:
  struct FreeMemory {
    void operator()(std::byte* memory) const noexcept;
  };

  std::size_t blocks_;
  std::size_t block_bytes_;
  std::size_t stride_;
  std::size_t words_;
  std::unique_ptr<std::byte, FreeMemory> memory_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> free_;        // one bit a block
  std::unique_ptr<std::atomic<std::uint32_t>[]> loans_;       // loans of each block so far
  alignas(kCacheLinePair) std::atomic<std::size_t> hint_{0};  // the word where a bit was last set or left
  std::atomic<std::uint64_t> exhausted_{0};
  std::atomic<std::uint64_t> foreign_blocks_{0};
  std::atomic<std::uint64_t> released_twice_{0};
};

}  // namespace ringwave
