// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "ringwave/core/host_device.hpp"
#include "ringwave/ring/message.hpp"
#include "ringwave/ring/shared_word.hpp"

namespace ringwave::ring {

/// One message in memory that a host and a device share.
///
/// Its first 256 bytes are 32 cells of 8 bytes. A cell is one word of the message and the epoch in which it
/// was written, stored and loaded as a whole. A reader that finds the epoch it waits for in every cell has
/// the message, in whatever order the cells became visible: neither side needs a fence, and the reader needs
/// not one more trip over the bus after the one that found the message.
///
///   cells 0–11   the head          cells 12–31   a payload of up to 80 bytes
///
/// Behind them is room for a head and a payload as they are. A longer payload is there, written before the
/// cells are; and a writer on the CPU puts the whole message there, followed by the epoch.
struct Slot {
  static constexpr std::size_t kCells = 32;
  static constexpr std::size_t kHeadCells = sizeof(MessageHead) / 4;
  static constexpr std::size_t kMostCellBytes = (kCells - kHeadCells) * 4;
  static constexpr std::size_t kPlain = kCells * 8;  // where the plain head is
  static constexpr std::size_t kPlainEpoch = kPlain + sizeof(MessageHead);
  static constexpr std::size_t kPayload = kPlain + 64;

  /// Bytes from one slot to the next. [any]
  [[nodiscard]] RW_HOST_DEVICE static constexpr std::size_t stride(std::size_t max_payload_bytes) {
    return kPayload + (max_payload_bytes + 63) / 64 * 64;
  }
  /// Cells of a message with that much payload; an even number, because devices load two at a time. [any]
  [[nodiscard]] RW_HOST_DEVICE static constexpr std::uint32_t cells(std::uint32_t payload_bytes) {
    return static_cast<std::uint32_t>(kHeadCells) +
           (payload_bytes <= kMostCellBytes ? (payload_bytes + 7) / 8 * 2 : 0);
  }
  /// What follows a plain head: never what fresh memory holds. [any]
  [[nodiscard]] static constexpr std::uint64_t plain_mark(std::uint32_t epoch) {
    return std::uint64_t{1} << 32U | epoch;
  }
  [[nodiscard]] RW_HOST_DEVICE static constexpr std::uint64_t cell(std::uint32_t word, std::uint32_t epoch) {
    return std::uint64_t{epoch} << 32U | word;
  }
};

/// Writes a message for a reader on the same machine. [any]
inline void write_plain(std::byte* slot, std::uint32_t epoch, const MessageHead& head,
                        const void* payload) noexcept {
  std::memcpy(slot + Slot::kPlain, &head, sizeof head);
  if (head.bytes > 0 && payload != slot + Slot::kPayload)
    std::memcpy(slot + Slot::kPayload, payload, head.bytes);
  poke_release(*reinterpret_cast<std::uint64_t*>(slot + Slot::kPlainEpoch), Slot::plain_mark(epoch));
}

/// Writes a message for a device. [any]
void write_cells(std::byte* slot, std::uint32_t epoch, const MessageHead& head, const void* payload) noexcept;

/// True once a slot holds the message of that epoch; then `head` is its head, and `payload`, which has room
/// for it, its payload. [any]
[[nodiscard]] bool read_slot(const std::byte* slot, std::uint32_t epoch, MessageHead& head,
                             std::byte* payload, std::size_t payload_room) noexcept;

}  // namespace ringwave::ring
