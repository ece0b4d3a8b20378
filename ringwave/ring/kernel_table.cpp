// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/kernel_table.hpp"

#include <thread>

#include "ringwave/ring/kernel_core.hpp"

namespace ringwave::ring {

void KernelTable::set(std::uint16_t number, KernelCore& kernel) noexcept {
  places_[number].kernel.store(&kernel, std::memory_order_release);
}

void KernelTable::clear(std::uint16_t number) noexcept {
  Place& place = places_[number];
  place.kernel.store(nullptr, std::memory_order_seq_cst);
  while (place.users.load(std::memory_order_seq_cst) != 0) std::this_thread::yield();
}

std::uint16_t KernelTable::free_number() const noexcept {
  for (std::uint16_t number = 1; number <= kMostKernels; ++number)
    if (places_[number].kernel.load(std::memory_order_acquire) == nullptr) return number;
  return 0;
}

Delivery KernelTable::send(std::uint16_t target, const MessageHead& head, const void* payload,
                           std::int64_t deadline_ns) noexcept {
  if (target > kMostKernels) return Delivery::unknown_target;
  Place& place = places_[target];
  place.users.fetch_add(1, std::memory_order_seq_cst);
  KernelCore* const kernel = place.kernel.load(std::memory_order_seq_cst);
  const Delivery delivery =
      kernel != nullptr ? kernel->send(head, payload, deadline_ns) : Delivery::unknown_target;
  place.users.fetch_sub(1, std::memory_order_release);
  return delivery == Delivery::not_running ? Delivery::unknown_target : delivery;
}

}  // namespace ringwave::ring
