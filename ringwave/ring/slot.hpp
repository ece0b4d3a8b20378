// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "ringwave/core/host_device.hpp"
#include "ringwave/ring/copy_payload.hpp"
#include "ringwave/ring/message.hpp"
#include "ringwave/ring/shared_word.hpp"
#include "ringwave/ring/wire_head.hpp"

namespace ringwave::ring {

/// One message in memory that a host and a device share.
///
/// Its first 128 bytes, one line of the bus, are eight cells of 16 bytes. A cell is three words of the
/// message and the epoch in which they were written. A device stores and loads a cell as a whole; the CPU
/// stores it as a part of 64 bytes that are whole (into a device's memory), or stores its second half, which
/// has the epoch, after the first, and loads it before (in its own). A reader that finds the epoch it waits
/// for in every cell has the message, in whatever order the cells became visible: neither side needs a fence,
/// and the reader needs not one more trip over the bus after the one that found the message.
///
///   words 0–7   a WireHead          words 8–23   a payload of up to 64 bytes
///
/// Behind them is room for a head and a payload as they are. A longer payload, and a head that says more than
/// a WireHead can, are there, written before the cells; and a writer on the CPU puts the whole message there,
/// followed by the epoch.
struct Slot {
  static constexpr std::size_t kCells = 8;
  static constexpr std::size_t kCellBytes = 16;
  static constexpr std::size_t kCellWords = 3;
  static constexpr std::size_t kWords = kCells * kCellWords;
  static constexpr std::size_t kMostCellBytes = (kWords - WireHead::kWords) * 4;
  static constexpr std::size_t kPlain = kCells * kCellBytes;  // where the plain head is
  static constexpr std::size_t kPlainEpoch = kPlain + sizeof(MessageHead);
  static constexpr std::size_t kPayload = kPlain + 64;
  static constexpr std::size_t kAlignment = 128;  // so that the cells are one line

  /// Bytes from one slot to the next. [any]
  [[nodiscard]] RW_HOST_DEVICE static constexpr std::size_t stride(std::size_t max_payload_bytes) {
    return (kPayload + max_payload_bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  /// Cells of a message with that much payload. [any]
  [[nodiscard]] RW_HOST_DEVICE static constexpr std::uint32_t cells(std::uint32_t payload_bytes) {
    constexpr auto kHead = static_cast<std::uint32_t>(WireHead::kWords) * 4;
    constexpr auto kEach = static_cast<std::uint32_t>(kCellWords) * 4;
    return (kHead + (payload_bytes <= kMostCellBytes ? payload_bytes : 0) + kEach - 1) / kEach;
  }
  /// The lap of a message in a ring of 2^shift slots, which is never that of fresh memory. [any]
  [[nodiscard]] RW_HOST_DEVICE static constexpr std::uint32_t epoch(std::uint64_t index,
                                                                    std::uint32_t shift) {
    return static_cast<std::uint32_t>(index >> shift) + 1;
  }
  /// What follows a plain head: never what fresh memory holds. [any]
  [[nodiscard]] static constexpr std::uint64_t plain_mark(std::uint32_t epoch) {
    return std::uint64_t{1} << 32U | epoch;
  }
};

/// Writes a message for a reader on the same machine. [any]
inline void write_plain(std::byte* slot, std::uint32_t epoch, const MessageHead& head,
                        const void* payload) noexcept {
  // The reader looks at the line of the epoch: what goes there goes last, so that he loses it once.
  if (payload != slot + Slot::kPayload) copy_payload(slot + Slot::kPayload, payload, head.bytes);
  std::memcpy(slot + Slot::kPlain, &head, sizeof head);
  poke_release(*reinterpret_cast<std::uint64_t*>(slot + Slot::kPlainEpoch), Slot::plain_mark(epoch));
}

/// Writes a message for a kernel on a device into memory of the host. [any]
void write_cells(std::byte* slot, std::uint32_t epoch, const MessageHead& head, const void* payload) noexcept;

/// The same into memory of the device, which does not keep the order of stores: lines of 64 bytes, each of
/// which arrives as a whole where stores_whole_lines(). [any]
void write_lines(std::byte* slot, std::uint32_t epoch, const MessageHead& head, const void* payload) noexcept;

/// True once a slot holds the message of that epoch for a kernel; then `head` is its head, and `payload`,
/// which has room for so much, its payload. [any]
[[nodiscard]] bool read_cells_at_kernel(const std::byte* slot, std::uint32_t epoch, std::int64_t now_ns,
                                        MessageHead& head, std::byte* payload = nullptr,
                                        std::size_t payload_room = 0) noexcept;

/// True once a slot holds the message of that epoch for the host; then `head` is its head, and `payload`,
/// which has room for so much, its payload. [any]
[[nodiscard]] bool read_slot(const std::byte* slot, std::uint32_t epoch, MessageHead& head,
                             std::byte* payload, std::size_t payload_room) noexcept;

}  // namespace ringwave::ring
