// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/realtime_pool.hpp"

#include <cstring>
#include <new>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave {
namespace {

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
      memory_(static_cast<std::byte*>(::operator new(stride_* blocks_, kAlignment))),
      loans_(new std::atomic<std::uint32_t>[blocks_]) {
  std::memset(memory_.get(), 0, stride_ * blocks_);  // a page never touched costs a fault at its first use
  for (std::size_t block = 0; block < blocks_; ++block) loans_[block] = 0;
  for (std::size_t i = 0; i < kHints; ++i) hints_[i].index = i * blocks_ / kHints;
}

std::size_t RealtimePool::in_use() const noexcept {
  std::size_t out = 0;
  for (std::size_t block = 0; block < blocks_; ++block)
    out += loans_[block].load(std::memory_order_relaxed) % 2;
  return out;
}

RealtimePool::Statistics RealtimePool::statistics() const noexcept {
  return {exhausted_.load(std::memory_order_relaxed), foreign_blocks_.load(std::memory_order_relaxed),
          released_twice_.load(std::memory_order_relaxed)};
}

}  // namespace ringwave
