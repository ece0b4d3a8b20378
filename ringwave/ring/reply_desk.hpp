// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "ringwave/ring/letter.hpp"
#include "ringwave/ring/shared_memory.hpp"
#include "ringwave/ring/slot.hpp"

namespace ringwave::ring {

/// Where answers arrive: every request has a slot of its own that its caller looks at, so that no answer
/// waits behind another and nobody sorts them.
///
/// A correlation id names the slot and its epoch. A caller that gave up leaves the slot to the late answer:
/// it is used again only after that came. Thread-safe.
class ReplyDesk {
 public:
  /// For so many requests at a time. [setup]
  ReplyDesk(Device device, std::size_t requests, std::size_t max_payload_bytes);

  /// A correlation id; 0 where all slots are taken. [any]
  [[nodiscard]] std::uint64_t open() noexcept;
  /// True for an id that was neither closed nor abandoned since. [any]
  [[nodiscard]] bool is_open(std::uint64_t correlation) const noexcept;

  /// True once the answer is there, which is then in `letter`, whose storage has room for it. The id is open.
  /// [any]
  [[nodiscard]] bool look(std::uint64_t correlation, Letter& letter) const noexcept;

  /// Gives a slot back whose answer was read, or that nobody will ever answer. The id is open. [any]
  void close(std::uint64_t correlation) noexcept;

  /// Gives up a slot that may still be answered; of an id that is not open, nothing. [any]
  void abandon(std::uint64_t correlation) noexcept;

  /// Answers from the CPU. [any]
  void answer(std::uint64_t correlation, const MessageHead& head, const void* payload) noexcept;
  /// The same without a payload where somebody may have answered before; if the slot is another request's by
  /// now, nothing. [any]
  void answer_again(std::uint64_t correlation, const MessageHead& head) noexcept;

  [[nodiscard]] std::size_t max_payload_bytes() const noexcept { return max_payload_; }
  /// For a device: where the slots are, and how far apart. [any]
  [[nodiscard]] std::byte* slots() const noexcept { return memory_.data(); }
  [[nodiscard]] std::size_t stride() const noexcept { return stride_; }

  [[nodiscard]] static constexpr std::size_t slot_of(std::uint64_t correlation) noexcept {
    return (correlation & 0xffffU) - 1;
  }
  [[nodiscard]] static constexpr std::uint32_t epoch_of(std::uint64_t correlation) noexcept {
    return static_cast<std::uint32_t>(correlation >> 16U);
  }
  [[nodiscard]] static constexpr std::uint64_t correlation_of(std::size_t place,
                                                              std::uint32_t epoch) noexcept {
    return std::uint64_t{epoch} << 16U | (place + 1);
  }

 private:
  struct Place {
    std::atomic<bool> is_taken{false};
    std::atomic<std::uint32_t> epoch{0};
    std::atomic<std::uint32_t> abandoned{0};  // the epoch whose answer is still to come
    std::atomic<std::uint32_t> answering{0};  // by answer_again()
  };

  /// Where a thread found a free slot the last time.
  struct alignas(64) Look {
    std::atomic<std::size_t> place{0};
  };

  [[nodiscard]] std::byte* slot(std::uint64_t correlation) const noexcept {
    return memory_.data() + slot_of(correlation) * stride_;
  }
  [[nodiscard]] std::uint64_t take_free() noexcept;
  void collect_late() noexcept;

  std::size_t count_;
  std::size_t max_payload_;
  std::size_t stride_;
  SharedMemory memory_;
  std::unique_ptr<Place[]> places_;
  std::array<Look, 64> looks_;  // of threads, by their number
};

}  // namespace ringwave::ring
