// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "ringwave/core/realtime.hpp"
#include "ringwave/ring/buffer_reference.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::ring {

/// Where parcels go that nobody holds any more, until somebody who may wait frees them: whoever lets go of
/// the last reference may be an audio thread.
class ParcelBin {
 public:
  ParcelBin() = default;
  ParcelBin(const ParcelBin&) = delete;  // blocks know it
  ParcelBin& operator=(const ParcelBin&) = delete;

  /// Takes a block over. [audio], until close()
  RW_REALTIME void put(ParcelBlock* block) noexcept;
  /// Frees what is inside. [setup]
  void empty() noexcept;
  /// Frees what is inside, and from now on everything at once: there is nobody left to empty it. [setup]
  void close() noexcept;

 private:
  std::atomic<ParcelBlock*> first_{nullptr};
  std::atomic<bool> is_closed_{false};
};

/// Memory that messages refer to, and who still does.
struct ParcelBlock {
  ParcelBlock(std::shared_ptr<ParcelBin> home, std::shared_ptr<const void> kept,
              std::span<const std::byte> memory, bool mapped)
      : bin(std::move(home)), owner(std::move(kept)), bytes(memory), is_mapped(mapped) {}

  static constexpr std::uint64_t kMessage = 1;
  static constexpr std::uint64_t kHandle = std::uint64_t{1} << 32U;

  /// One more message, or handle. [audio]
  RW_REALTIME void hold(std::uint64_t one) noexcept { holders.fetch_add(one, std::memory_order_relaxed); }
  /// One less; the last one leaves it to the bin. [audio]
  RW_REALTIME void release(std::uint64_t one) noexcept {
    if (holders.fetch_sub(one, std::memory_order_acq_rel) != one) return;
    const std::shared_ptr<ParcelBin> home = bin;  // the block may be gone before put() has returned
    home->put(this);
  }
  /// Messages that refer to it. Who sees 0 sees also all that their handlers did. [audio]
  RW_REALTIME [[nodiscard]] std::uint32_t messages() const noexcept {
    return static_cast<std::uint32_t>(holders.load(std::memory_order_acquire));
  }

  std::shared_ptr<ParcelBin> bin;
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;
  bool is_mapped;  ///< GPUs read it where it is
  std::atomic<std::uint64_t> holders{kHandle};
  ParcelBlock* next = nullptr;  // in the bin
};

/// A message was handled, or never will be: lets go of what it referred to, if it did. [audio]
RW_REALTIME inline void let_go(const MessageHead& head, const void* payload) noexcept {
  if (is_by_reference(head)) reference_in(payload).block->release(ParcelBlock::kMessage);
}

}  // namespace ringwave::ring
