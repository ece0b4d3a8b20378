// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ringwave/core/realtime.hpp"
#include "ringwave/ring/message.hpp"
#include "ringwave/ring/parcel_bin.hpp"

namespace ringwave::ring {

/// What the messages in an inbox on a device refer to: a device cannot let go of a parcel itself. There is an
/// entry for each slot, which its sender writes before the message is there; who sees that the message is
/// settled lets go.
///
/// An entry's turn is the index of its message, plus one, or 0. No turn comes twice, and only whoever has a
/// slot to write changes its block, while the turn is 0: whoever sets a turn to 0 has its block.
class ParcelLedger {
 public:
  /// `capacity` is that of a band, a power of two. [setup]
  explicit ParcelLedger(std::size_t capacity) : mask_(capacity - 1), entries_(kBands * capacity) {}
  ~ParcelLedger() {
    for (std::size_t band = 0; band < kBands; ++band) release_below(band, ~std::uint64_t{0});
  }
  ParcelLedger(const ParcelLedger&) = delete;  // senders write into it
  ParcelLedger& operator=(const ParcelLedger&) = delete;

  /// Message `index` of a band, whose slot is the caller's to write, refers to a block, and holds it. What
  /// the slot's message before it referred to is let go, if nobody has done that yet. [audio]
  RW_REALTIME void hold(std::size_t band, std::uint64_t index, ParcelBlock* block) noexcept {
    Entry& entry = at(band, index);
    // Held up for so long that the inbox was cleared and the slot is another's: nobody handles this message.
    if (entry.turn.load(std::memory_order_acquire) > index + 1) return block->release(ParcelBlock::kMessage);
    if (entry.turn.exchange(0, std::memory_order_acq_rel) != 0)
      entry.block.load(std::memory_order_relaxed)->release(ParcelBlock::kMessage);
    else
      held_[band].fetch_add(1, std::memory_order_relaxed);
    entry.block.store(block, std::memory_order_relaxed);
    entry.turn.store(index + 1, std::memory_order_release);
  }

  /// Lets go of what messages before `settled` refer to. [any]
  void release_below(std::size_t band, std::uint64_t settled) noexcept {
    if (held_[band].load(std::memory_order_relaxed) == 0) return;
    for (std::uint64_t slot = 0; slot <= mask_; ++slot) release(at(band, slot), band, settled);
  }

  /// The same, of those that have been settled since the last call. One thread at a time. [any]
  void sweep(std::size_t band, std::uint64_t settled) noexcept {
    std::uint64_t& swept = swept_[band];
    if (settled - swept > mask_ + 1) swept = settled - mask_ - 1;
    if (held_[band].load(std::memory_order_relaxed) == 0) swept = settled;
    for (; swept != settled; ++swept) release(at(band, swept), band, settled);
  }

 private:
  struct Entry {
    std::atomic<std::uint64_t> turn{0};
    std::atomic<ParcelBlock*> block{nullptr};
  };

  [[nodiscard]] Entry& at(std::size_t band, std::uint64_t index) noexcept {
    return entries_[band * (mask_ + 1) + (index & mask_)];
  }

  void release(Entry& entry, std::size_t band, std::uint64_t settled) noexcept {
    std::uint64_t turn = entry.turn.load(std::memory_order_acquire);
    if (turn == 0 || turn > settled) return;
    ParcelBlock* const block = entry.block.load(std::memory_order_relaxed);
    if (!entry.turn.compare_exchange_strong(turn, 0, std::memory_order_acq_rel, std::memory_order_relaxed))
      return;
    held_[band].fetch_sub(1, std::memory_order_relaxed);
    block->release(ParcelBlock::kMessage);
  }

  std::uint64_t mask_;
  std::vector<Entry> entries_;
  std::array<std::atomic<std::uint64_t>, kBands> held_{};  // entries with a turn, at least
  std::array<std::uint64_t, kBands> swept_{};
};

}  // namespace ringwave::ring
