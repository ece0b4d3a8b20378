// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ringwave/core/realtime.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::ring {

/// Who waits for the messages in an inbox on a device: for each slot the request in it, in the host's own
/// memory. When the kernel is gone, or its device lost, this is what says whom to answer.
///
/// An entry's turn is the index of its message, plus one, once that was written. Until then the slot is its
/// sender's, even if the message is settled: nobody writes a note over that of the next lap.
class RequestLedger {
 public:
  /// `capacity` is that of a band, a power of two. [setup]
  explicit RequestLedger(std::size_t capacity) : mask_(capacity - 1), entries_(kBands * capacity) {}

  /// True where who had the slot of message `index` before is done with it. [audio]
  [[nodiscard]] RW_REALTIME bool is_free(std::size_t band, std::uint64_t index) const noexcept {
    return index <= mask_ || at(band, index).turn.load(std::memory_order_acquire) + mask_ >= index;
  }

  /// The caller has written message `index` of a band, whose slot was its own. [audio]
  RW_REALTIME void note(std::size_t band, std::uint64_t index, const MessageHead& head) noexcept {
    Entry& entry = at(band, index);
    const bool is_request = (head.flags & MessageHead::kRequest) != 0;
    entry.correlation.store(is_request ? head.correlation : 0, std::memory_order_relaxed);
    entry.turn.store(index + 1, std::memory_order_release);
  }

  /// False as long as message `index` of a band was not written; then `request` is the head of who waits for
  /// its answer, or of no request. [any]
  [[nodiscard]] bool find(std::size_t band, std::uint64_t index, MessageHead& request) const noexcept {
    const Entry& entry = at(band, index);
    if (entry.turn.load(std::memory_order_acquire) <= index) return false;
    request.correlation = entry.correlation.load(std::memory_order_relaxed);
    request.flags = request.correlation != 0 ? MessageHead::kRequest : std::uint8_t{0};
    return true;
  }

 private:
  struct Entry {
    std::atomic<std::uint64_t> turn{0};
    std::atomic<std::uint64_t> correlation{0};  // 0: nobody waits
  };

  [[nodiscard]] Entry& at(std::size_t band, std::uint64_t index) noexcept {
    return entries_[band * (mask_ + 1) + (index & mask_)];
  }
  [[nodiscard]] const Entry& at(std::size_t band, std::uint64_t index) const noexcept {
    return entries_[band * (mask_ + 1) + (index & mask_)];
  }

  std::uint64_t mask_;
  std::vector<Entry> entries_;
};

}  // namespace ringwave::ring
