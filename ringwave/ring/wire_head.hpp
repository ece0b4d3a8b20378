// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ringwave/core/host_device.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::ring {

/// A head as it travels between a host and a device: eight words instead of twelve, so that a message of 64
/// bytes is one line of the bus.
///
/// To a kernel goes no id, which follows from the place in the queue, and of times 48 bits, which the
/// receiver's clock completes. To the host go neither deadline nor argument. A head that says more than that,
/// or belongs to a reference, lies behind the cells as it is (`kPlain`).
struct alignas(16) WireHead {
  static constexpr std::size_t kWords = 8;
  static constexpr std::uint8_t kPlain = 128;  ///< a flag of its own beside those of MessageHead

  std::uint32_t words[kWords];

  [[nodiscard]] RW_HOST_DEVICE std::uint32_t bytes() const { return bytes_of(words[0]); }
  [[nodiscard]] RW_HOST_DEVICE bool is_plain() const { return is_plain(words[0]); }

  /// Payload of a message, from the first word of its head. [any]
  [[nodiscard]] RW_HOST_DEVICE static constexpr std::uint32_t bytes_of(std::uint32_t first_word) {
    return first_word & 0xff'ffffU;
  }
  [[nodiscard]] RW_HOST_DEVICE static constexpr bool is_plain(std::uint32_t first_word) {
    return (first_word >> 24U & kPlain) != 0;
  }
  [[nodiscard]] RW_HOST_DEVICE static constexpr std::uint32_t first_word(const MessageHead& head,
                                                                         bool is_plain) {
    return head.bytes | std::uint32_t{head.flags} << 24U | (is_plain ? std::uint32_t{kPlain} << 24U : 0U);
  }
  [[nodiscard]] RW_HOST_DEVICE static constexpr std::uint32_t names(const MessageHead& head) {
    return static_cast<std::uint32_t>(head.correlation & 0xffffU) | std::uint32_t{head.priority} << 16U |
           std::uint32_t{head.source} << 24U;
  }
};

/// The head of a message to a kernel; its id is 0 where the place in the queue is to give one. [any]
[[nodiscard]] RW_HOST_DEVICE inline WireHead wire_to_kernel(const MessageHead& head) {
  const auto sent = static_cast<std::uint64_t>(head.sent_ns);
  const auto deadline = static_cast<std::uint64_t>(head.deadline_ns);
  constexpr std::uint64_t kDay = 86'400'000'000'000;
  const bool is_far = head.deadline_ns != 0 && (deadline - sent + kDay > 2 * kDay || deadline << 16U == 0);
  // A device takes long messages and plain heads out of the common way, and so finds a reference there.
  const bool is_plain =
      head.id != 0 || head.correlation >> 48U != 0 || is_far || (head.flags & MessageHead::kByReference) != 0;
  return {{WireHead::first_word(head, is_plain), head.type, head.argument, WireHead::names(head),
           static_cast<std::uint32_t>(head.correlation >> 16U), static_cast<std::uint32_t>(sent),
           static_cast<std::uint32_t>(deadline),
           (static_cast<std::uint32_t>(sent >> 32U) & 0xffffU) | static_cast<std::uint32_t>(deadline >> 32U)
                                                                     << 16U}};
}

/// The time nearest to `now` whose lower 48 bits are these. [any]
[[nodiscard]] RW_HOST_DEVICE inline std::int64_t complete_time(std::uint32_t low, std::uint32_t high16,
                                                               std::int64_t now_ns) {
  const std::uint64_t time = std::uint64_t{high16} << 32U | low;
  // Signed, over 16 bits: the difference may be to either side.
  return now_ns + (static_cast<std::int64_t>((time - static_cast<std::uint64_t>(now_ns)) << 16U) >> 16U);
}

/// What wire_to_kernel() made of a head that is not plain; without an id. [any]
[[nodiscard]] RW_HOST_DEVICE inline MessageHead head_at_kernel(const WireHead& wire, std::int64_t now_ns) {
  const std::uint32_t* const w = wire.words;
  MessageHead head;
  head.bytes = wire.bytes();
  head.flags = static_cast<std::uint8_t>(w[0] >> 24U & ~std::uint32_t{WireHead::kPlain});
  head.type = w[1];
  head.argument = w[2];
  head.correlation = std::uint64_t{w[4]} << 16U | (w[3] & 0xffffU);
  head.priority = static_cast<std::uint8_t>(w[3] >> 16U);
  head.source = static_cast<std::uint16_t>(w[3] >> 24U);
  head.sent_ns = complete_time(w[5], w[7] & 0xffffU, now_ns);
  head.deadline_ns = (w[6] | w[7] >> 16U) == 0 ? 0 : complete_time(w[6], w[7] >> 16U, now_ns);
  return head;
}

/// The head of a message to the host. [any]
[[nodiscard]] RW_HOST_DEVICE inline WireHead wire_to_host(const MessageHead& head) {
  const bool is_plain = head.correlation >> 48U != 0 || head.deadline_ns != 0 || head.argument != 0;
  return {{WireHead::first_word(head, is_plain), head.type, static_cast<std::uint32_t>(head.id),
           static_cast<std::uint32_t>(head.id >> 32U), WireHead::names(head),
           static_cast<std::uint32_t>(head.correlation >> 16U), static_cast<std::uint32_t>(head.sent_ns),
           static_cast<std::uint32_t>(static_cast<std::uint64_t>(head.sent_ns) >> 32U)}};
}

/// What wire_to_host() made of a head that is not plain. [any]
[[nodiscard]] RW_HOST_DEVICE inline MessageHead head_at_host(const WireHead& wire) {
  const std::uint32_t* const w = wire.words;
  MessageHead head;
  head.bytes = wire.bytes();
  head.flags = static_cast<std::uint8_t>(w[0] >> 24U & ~std::uint32_t{WireHead::kPlain});
  head.type = w[1];
  head.id = std::uint64_t{w[3]} << 32U | w[2];
  head.correlation = std::uint64_t{w[5]} << 16U | (w[4] & 0xffffU);
  head.priority = static_cast<std::uint8_t>(w[4] >> 16U);
  head.source = static_cast<std::uint16_t>(w[4] >> 24U);
  head.sent_ns = static_cast<std::int64_t>(std::uint64_t{w[7]} << 32U | w[6]);
  return head;
}

}  // namespace ringwave::ring
