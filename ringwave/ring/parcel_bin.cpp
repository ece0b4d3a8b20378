// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/parcel_bin.hpp"

namespace ringwave::ring {

void ParcelBin::put(ParcelBlock* block) noexcept {
  ParcelBlock* first = first_.load(std::memory_order_relaxed);
  do {
    block->next = first;
  } while (!first_.compare_exchange_weak(first, block, std::memory_order_seq_cst, std::memory_order_relaxed));
  // Either this sees that it is closed, or whoever closes it sees the block.
  if (is_closed_.load(std::memory_order_seq_cst)) empty();
}

void ParcelBin::empty() noexcept {
  ParcelBlock* block = first_.exchange(nullptr, std::memory_order_seq_cst);
  while (block != nullptr) {
    const std::unique_ptr<ParcelBlock> freed(block);
    block = block->next;
  }
}

void ParcelBin::close() noexcept {
  is_closed_.store(true, std::memory_order_seq_cst);
  empty();
}

}  // namespace ringwave::ring
