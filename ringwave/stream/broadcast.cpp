// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/broadcast.hpp"

#include <algorithm>
#include <utility>

#include "ringwave/core/error.hpp"

namespace ringwave::stream {

Broadcast::Broadcast(std::size_t history) : ring_(history) {
  if (history == 0) throw InvalidArgument("a broadcast was asked for that keeps no packet; use 1 or more");
}

std::uint64_t Broadcast::publish(Packet packet) {
  auto made = std::make_shared<Packet>(std::move(packet));
  PacketPtr oldest;  // is freed after the lock
  const std::lock_guard lock(mutex_);
  const std::uint64_t sequence = end_.load(std::memory_order_relaxed);
  made->sequence = sequence;
  oldest = std::exchange(ring_[sequence % ring_.size()], std::move(made));
  end_.store(sequence + 1, std::memory_order_release);
  return sequence;
}

void Broadcast::forget() {
  std::vector<PacketPtr> old(ring_.size());
  const std::lock_guard lock(mutex_);
  ring_.swap(old);
  forgotten_.store(end_.load(std::memory_order_relaxed), std::memory_order_release);
}

std::uint64_t Broadcast::oldest() const noexcept {
  const std::uint64_t end = end_.load(std::memory_order_relaxed);
  return std::max(forgotten_.load(std::memory_order_relaxed),
                  end - std::min<std::uint64_t>(end, ring_.size()));
}

std::uint64_t Broadcast::begin() const {
  const std::lock_guard lock(mutex_);
  return oldest();
}

Broadcast::Reading Broadcast::read(std::uint64_t from, std::span<PacketPtr> packets, Gap gap) const {
  const std::lock_guard lock(mutex_);
  const std::uint64_t end = end_.load(std::memory_order_relaxed);
  const std::uint64_t begin = oldest();
  if (from < begin) from = gap == Gap::to_oldest || begin == end ? begin : end - 1;
  const std::uint64_t there = from < end ? end - from : 0;
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(there, packets.size()));
  for (std::size_t i = 0; i < count; ++i) packets[i] = ring_[(from + i) % ring_.size()];
  return {.first = from, .count = count};
}

bool Broadcast::has(std::uint64_t from) const noexcept {
  // The newest packet is always kept, unless it was forgotten.
  return end() > std::max(from, forgotten_.load(std::memory_order_acquire));
}

}  // namespace ringwave::stream
