// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/kernel_table.hpp"

#include <thread>

#include "ringwave/ring/kernel_core.hpp"

namespace ringwave::ring {
namespace {

/// What a kernel that does not run is to others.
Delivery to_sender(Delivery delivery) noexcept {
  return delivery == Delivery::not_running ? Delivery::unknown_target : delivery;
}

}  // namespace

void KernelTable::set(std::uint16_t number, KernelCore& kernel) noexcept {
  places_[number].kernel.store(&kernel, std::memory_order_release);
}

void KernelTable::clear(std::uint16_t number) noexcept {
  Place& place = places_[number];
  place.named = ++names_;
  place.kernel.store(nullptr, std::memory_order_seq_cst);
  while (place.users.load(std::memory_order_seq_cst) != 0) std::this_thread::yield();
}

std::uint16_t KernelTable::free_number() noexcept {
  std::uint16_t oldest = 0;
  for (std::uint16_t number = 1; number <= kMostKernels; ++number) {
    const Place& place = places_[number];
    if (place.kernel.load(std::memory_order_acquire) == nullptr &&
        (oldest == 0 || place.named < places_[oldest].named))
      oldest = number;
  }
  if (oldest != 0) places_[oldest].named = ++names_;
  return oldest;
}

template <class Answer, class Use>
Answer KernelTable::with(std::uint16_t number, Answer none, const Use& use) noexcept {
  if (number > kMostKernels) return none;
  Place& place = places_[number];
  place.users.fetch_add(1, std::memory_order_seq_cst);
  KernelCore* const kernel = place.kernel.load(std::memory_order_seq_cst);
  const Answer answer = kernel != nullptr ? use(*kernel) : none;
  place.users.fetch_sub(1, std::memory_order_release);
  return answer;
}

Delivery KernelTable::send(std::uint16_t target, const MessageHead& head, const void* payload,
                           std::int64_t deadline_ns) noexcept {
  return with(target, Delivery::unknown_target,
              [&](KernelCore& kernel) { return to_sender(kernel.send(head, payload, deadline_ns)); });
}

std::optional<Delivery> KernelTable::try_send(std::uint16_t target, const MessageHead& head,
                                              const void* payload, std::int64_t deadline_ns) noexcept {
  return with(
      target, std::optional(Delivery::unknown_target), [&](KernelCore& kernel) -> std::optional<Delivery> {
        const bool waits = kernel.has_senders_wait();
        const Delivery delivery = kernel.send(head, payload, waits ? KernelCore::kComesAgain : deadline_ns);
        if (waits && delivery == Delivery::full) return std::nullopt;
        return to_sender(delivery);
      });
}

}  // namespace ringwave::ring
