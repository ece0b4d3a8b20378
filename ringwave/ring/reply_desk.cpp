// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/reply_desk.hpp"

#include "ringwave/core/thread_slot.hpp"
#include "ringwave/ring/far_fence.hpp"

namespace ringwave::ring {

ReplyDesk::ReplyDesk(Device device, std::size_t requests, std::size_t max_payload_bytes)
    : count_(requests),
      max_payload_(max_payload_bytes),
      stride_(Slot::stride(max_payload_bytes)),
      memory_(device, requests * stride_),
      places_(std::make_unique<Place[]>(requests)) {
  // Threads begin at different lines, so that they seldom meet.
  constexpr std::size_t kPlacesOfLine = 64 / sizeof(Place);
  for (std::size_t i = 0; i < looks_.size(); ++i) looks_[i].place = i * kPlacesOfLine % requests;
}

std::uint64_t ReplyDesk::open() noexcept {
  if (const std::uint64_t correlation = take_free(); correlation != 0) return correlation;
  collect_late();
  return take_free();
}

std::uint64_t ReplyDesk::take_free() noexcept {
  std::atomic<std::size_t>& last = looks_[thread_slot() % looks_.size()].place;
  std::size_t place = last.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < count_; ++i, place = place + 1 < count_ ? place + 1 : 0) {
    Place& found = places_[place];
    if (found.is_taken.load(std::memory_order_relaxed) ||
        found.is_taken.exchange(true, std::memory_order_acq_rel))
      continue;
    last.store(place, std::memory_order_relaxed);
    // 0 is what fresh memory holds.
    std::uint32_t epoch = found.epoch.load(std::memory_order_relaxed) + 1;
    if (epoch == 0) epoch = 1;
    found.epoch.store(epoch, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);  // answer_again() has the other fence
    while (found.answering.load(std::memory_order_acquire) != 0) {
    }
    return correlation_of(place, epoch);
  }
  return 0;
}

bool ReplyDesk::is_open(std::uint64_t correlation) const noexcept {
  const std::size_t at = slot_of(correlation);
  if (at >= count_) return false;
  const Place& place = places_[at];
  const std::uint32_t epoch = place.epoch.load(std::memory_order_relaxed);
  return correlation == correlation_of(at, epoch) && place.is_taken.load(std::memory_order_relaxed) &&
         place.abandoned.load(std::memory_order_relaxed) != epoch;
}

bool ReplyDesk::look(std::uint64_t correlation, Letter& letter) const noexcept {
  const auto room = letter.storage();
  return read_slot(slot(correlation), epoch_of(correlation), letter.head, room.data(), room.size());
}

void ReplyDesk::close(std::uint64_t correlation) noexcept {
  places_[slot_of(correlation)].is_taken.store(false, std::memory_order_release);
}

void ReplyDesk::abandon(std::uint64_t correlation) noexcept {
  if (is_open(correlation))
    places_[slot_of(correlation)].abandoned.store(epoch_of(correlation), std::memory_order_release);
}

void ReplyDesk::collect_late() noexcept {
  for (std::size_t place = 0; place < count_; ++place) {
    std::uint32_t epoch = places_[place].abandoned.load(std::memory_order_acquire);
    if (epoch == 0) continue;
    const std::uint64_t correlation = correlation_of(place, epoch);
    MessageHead head;
    if (!read_slot(slot(correlation), epoch, head, nullptr, 0)) continue;
    // By the epoch: meanwhile another may have collected it, used it and given it up again.
    if (places_[place].abandoned.compare_exchange_strong(epoch, 0, std::memory_order_acq_rel))
      places_[place].is_taken.store(false, std::memory_order_release);
  }
}

void ReplyDesk::answer(std::uint64_t correlation, const MessageHead& head, const void* payload) noexcept {
  if (slot_of(correlation) < count_) write_plain(slot(correlation), epoch_of(correlation), head, payload);
}

void ReplyDesk::answer_again(std::uint64_t correlation, const MessageHead& head) noexcept {
  if (slot_of(correlation) >= count_) return;
  Place& place = places_[slot_of(correlation)];
  // Whoever opens the slot again raises its epoch and then waits for this count: one of the two sees the
  // other.
  place.answering.fetch_add(1, std::memory_order_relaxed);
  far_fence();
  if (place.epoch.load(std::memory_order_acquire) == epoch_of(correlation))
    write_plain(slot(correlation), epoch_of(correlation), head, slot(correlation) + Slot::kPayload);
  place.answering.fetch_sub(1, std::memory_order_release);
}

}  // namespace ringwave::ring
