// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/slot.hpp"

#include <algorithm>

namespace ringwave::ring {
namespace {

std::uint64_t& cell_at(const std::byte* slot, std::size_t cell) noexcept {
  return *(reinterpret_cast<std::uint64_t*>(const_cast<std::byte*>(slot)) + cell);
}

/// True where the cell is of that epoch; then `word` is what it holds.
bool read_cell(const std::byte* slot, std::size_t cell, std::uint32_t epoch, std::uint32_t& word) noexcept {
  // Acquire: a long payload was written before the cells. On x86 that costs nothing.
  const std::uint64_t found = peek_acquire(cell_at(slot, cell));
  word = static_cast<std::uint32_t>(found);
  return static_cast<std::uint32_t>(found >> 32U) == epoch;
}

bool read_plain(const std::byte* slot, std::uint32_t epoch, MessageHead& head, std::byte* payload,
                std::size_t room) noexcept {
  const auto& mark = *reinterpret_cast<const std::uint64_t*>(slot + Slot::kPlainEpoch);
  if (peek_acquire(mark) != Slot::plain_mark(epoch)) return false;
  std::memcpy(&head, slot + Slot::kPlain, sizeof head);
  const std::size_t bytes = std::min<std::size_t>(head.bytes, room);
  if (bytes > 0) std::memcpy(payload, slot + Slot::kPayload, bytes);
  return true;
}

bool read_cells(const std::byte* slot, std::uint32_t epoch, MessageHead& head, std::byte* payload,
                std::size_t room) noexcept {
  std::uint32_t words[Slot::kCells];
  if (!read_cell(slot, 0, epoch, words[0])) return false;
  for (std::size_t cell = 1; cell < Slot::kHeadCells; ++cell)
    if (!read_cell(slot, cell, epoch, words[cell])) return false;
  std::memcpy(&head, words, sizeof head);
  const std::size_t bytes = std::min<std::size_t>(head.bytes, room);
  if (head.bytes > Slot::kMostCellBytes) {
    if (bytes > 0) std::memcpy(payload, slot + Slot::kPayload, bytes);
    return true;
  }
  const std::size_t cells = Slot::cells(head.bytes);
  for (std::size_t cell = Slot::kHeadCells; cell < cells; ++cell)
    if (!read_cell(slot, cell, epoch, words[cell])) return false;
  if (bytes > 0) std::memcpy(payload, words + Slot::kHeadCells, bytes);
  return true;
}

}  // namespace

void write_cells(std::byte* slot, std::uint32_t epoch, const MessageHead& head,
                 const void* payload) noexcept {
  std::uint32_t words[Slot::kCells] = {};
  std::memcpy(words, &head, sizeof head);
  if (head.bytes <= Slot::kMostCellBytes) {
    if (head.bytes > 0) std::memcpy(words + Slot::kHeadCells, payload, head.bytes);
  } else if (payload != slot + Slot::kPayload) {
    std::memcpy(slot + Slot::kPayload, payload, head.bytes);
  }
  const std::size_t cells = Slot::cells(head.bytes);
  // Release: behind a long payload every cell comes after it. On x86 that costs nothing.
  for (std::size_t cell = 0; cell < cells; ++cell)
    poke_release(cell_at(slot, cell), Slot::cell(words[cell], epoch));
}

bool read_slot(const std::byte* slot, std::uint32_t epoch, MessageHead& head, std::byte* payload,
               std::size_t payload_room) noexcept {
  return read_plain(slot, epoch, head, payload, payload_room) ||
         read_cells(slot, epoch, head, payload, payload_room);
}

}  // namespace ringwave::ring
