// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/realtime_pool.hpp"

#include <bit>
#include <cstring>
#include <new>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave {
namespace {

constexpr std::size_t kWordBits = 64;
constexpr std::align_val_t kAlignment{64};

std::size_t checked_blocks(const RealtimePool::Spec& spec) {
  constexpr std::size_t kMost = std::size_t{1} << 31;
  if (spec.blocks == 0 || spec.blocks > kMost || spec.block_bytes == 0 || spec.block_bytes > kMost)
    throw InvalidArgument("a pool of " + std::to_string(spec.blocks) + " blocks of " +
                          std::to_string(spec.block_bytes) +
                          " bytes was asked for; both numbers must be from 1 to 2^31");
  return spec.blocks;
}

}  // namespace

void RealtimePool::FreeMemory::operator()(std::byte* memory) const noexcept {
  ::operator delete(memory, kAlignment);
}

RealtimePool::RealtimePool(Spec spec)
    : blocks_(checked_blocks(spec)),
      block_bytes_(spec.block_bytes),
      stride_((spec.block_bytes + 63) / 64 * 64),
      words_((spec.blocks + kWordBits - 1) / kWordBits),
      memory_(static_cast<std::byte*>(::operator new(stride_* blocks_, kAlignment))),
      free_(new std::atomic<std::uint64_t>[words_]),
      loans_(new std::atomic<std::uint32_t>[blocks_]) {
  std::memset(memory_.get(), 0,
              stride_ * blocks_);  // a page that was never touched costs a fault at its first use
  for (std::size_t word = 0; word < words_; ++word) {
    const std::size_t bits = std::min(kWordBits, blocks_ - word * kWordBits);
    free_[word] = bits == kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  }
  for (std::size_t block = 0; block < blocks_; ++block) loans_[block] = 0;
}

RealtimePool::Handle RealtimePool::acquire() noexcept {
  Handle handle;
  std::size_t word = hint_.load(std::memory_order_relaxed);
  for (std::size_t tried = 0; tried < words_; ++tried, word = word + 1 == words_ ? 0 : word + 1) {
    std::uint64_t bits = free_[word].load(std::memory_order_relaxed);
    while (bits != 0) {
      const std::uint64_t bit = bits & (~bits + 1);
      bits = free_[word].fetch_and(~bit, std::memory_order_acquire);
      if ((bits & bit) == 0) continue;  // another thread took it; `bits` is what is left
      if (tried != 0) hint_.store(word, std::memory_order_relaxed);
      const std::size_t index = word * kWordBits + static_cast<std::size_t>(std::countr_zero(bit));
      handle.bytes_ = {memory_.get() + index * stride_, block_bytes_};
      handle.index_ = static_cast<std::uint32_t>(index);
      handle.loan_ = loans_[index].load(std::memory_order_relaxed) + 1;
      loans_[index].store(handle.loan_, std::memory_order_relaxed);
      return handle;
    }
  }
  exhausted_.fetch_add(1, std::memory_order_relaxed);
  return handle;
}

RealtimePool::Release RealtimePool::release(const Handle& handle) noexcept {
  if (!handle || handle.index_ >= blocks_ ||
      handle.bytes_.data() != memory_.get() + handle.index_ * stride_) {
    foreign_blocks_.fetch_add(1, std::memory_order_relaxed);
    return Release::foreign_block;
  }
  const std::size_t word = handle.index_ / kWordBits;
  const std::uint64_t bit = std::uint64_t{1} << (handle.index_ % kWordBits);
  if (loans_[handle.index_].load(std::memory_order_relaxed) != handle.loan_ ||
      (free_[word].fetch_or(bit, std::memory_order_release) & bit) != 0) {
    released_twice_.fetch_add(1, std::memory_order_relaxed);
    return Release::released_twice;
  }
  return Release::ok;
}

std::size_t RealtimePool::in_use() const noexcept {
  std::size_t free = 0;
  for (std::size_t word = 0; word < words_; ++word)
    free += static_cast<std::size_t>(std::popcount(free_[word].load(std::memory_order_relaxed)));
  return blocks_ - free;
}

RealtimePool::Statistics RealtimePool::statistics() const noexcept {
  return {exhausted_.load(std::memory_order_relaxed), foreign_blocks_.load(std::memory_order_relaxed),
          released_twice_.load(std::memory_order_relaxed)};
}

}  // namespace ringwave
