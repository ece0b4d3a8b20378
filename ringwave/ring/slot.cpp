// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/slot.hpp"

#include <immintrin.h>

#include <algorithm>

#include "ringwave/core/cpu_profile.hpp"

namespace ringwave::ring {
namespace {

std::uint64_t& half_at(const std::byte* slot, std::size_t half) noexcept {
  return *(reinterpret_cast<std::uint64_t*>(const_cast<std::byte*>(slot)) + half);
}

/// Three words and the epoch behind them.
void write_cell(std::byte* slot, std::size_t cell, std::uint64_t two_words, std::uint32_t third,
                std::uint32_t epoch) noexcept {
  poke_release(half_at(slot, 2 * cell), two_words);
  // Release: also behind a long payload. On x86 that costs nothing.
  poke_release(half_at(slot, 2 * cell + 1), std::uint64_t{epoch} << 32U | third);
}

/// True where the cell is of that epoch; then `words` are the three it holds.
bool read_cell(const std::byte* slot, std::size_t cell, std::uint32_t epoch, std::uint32_t* words) noexcept {
  // Acquire: what was written before it, is there. On x86 that costs nothing.
  const std::uint64_t second = peek_acquire(half_at(slot, 2 * cell + 1));
  const std::uint64_t first = peek(half_at(slot, 2 * cell));
  std::memcpy(words, &first, sizeof first);
  words[2] = static_cast<std::uint32_t>(second);
  return static_cast<std::uint32_t>(second >> 32U) == epoch;
}

constexpr std::size_t kLineBytes = 64;

const bool kStoresWholeLines = stores_whole_lines();

__attribute__((target("movdir64b"))) void store_whole(std::byte* to, const std::byte* from) noexcept {
  _movdir64b(to, from);
}

/// Both are multiples of 64.
void store_line(std::byte* to, const std::byte* from) noexcept {
  if (kStoresWholeLines) return store_whole(to, from);
  // A cell at a time, which is enough in memory of the host.
  for (std::size_t at = 0; at < kLineBytes; at += Slot::kCellBytes)
    _mm_store_si128(reinterpret_cast<__m128i*>(to + at),
                    _mm_load_si128(reinterpret_cast<const __m128i*>(from + at)));
}

/// Any number of bytes to a multiple of 64; what follows them in the last line is zeros.
void store_lines(std::byte* to, const void* from, std::size_t bytes) noexcept {
  alignas(kLineBytes) std::byte line[kLineBytes];
  for (std::size_t done = 0; done < bytes; done += kLineBytes) {
    const std::size_t count = std::min(kLineBytes, bytes - done);
    std::memcpy(line, static_cast<const std::byte*>(from) + done, count);
    std::memset(line + count, 0, kLineBytes - count);
    store_line(to + done, line);
  }
}

/// All cells of a message with a payload of 64 bytes, in registers: what is put together in memory and read
/// at once as more than was written waits until it is in the cache.
void fill_cells(__m128i (&cells)[Slot::kCells], const WireHead& wire, const void* payload,
                std::uint32_t epoch) noexcept {
  const auto cell = [epoch](std::uint32_t first, std::uint32_t second, std::uint32_t third) {
    return _mm_set_epi32(static_cast<int>(epoch), static_cast<int>(third), static_cast<int>(second),
                         static_cast<int>(first));
  };
  const auto four_at = [payload](std::size_t word) {
    return _mm_loadu_si128(
        reinterpret_cast<const __m128i*>(static_cast<const std::byte*>(payload) + 4 * word));
  };
  const __m128i none = cell(0, 0, 0);
  const __m128i three = _mm_set_epi32(0, -1, -1, -1);
  const std::uint32_t* const w = wire.words;
  cells[0] = cell(w[0], w[1], w[2]);
  cells[1] = cell(w[3], w[4], w[5]);
  cells[2] = cell(w[6], w[7], static_cast<std::uint32_t>(_mm_cvtsi128_si32(four_at(0))));
  for (std::size_t i = 3; i + 1 < Slot::kCells; ++i)
    cells[i] = _mm_or_si128(_mm_and_si128(four_at(Slot::kCellWords * i - WireHead::kWords), three), none);
  // The last three words, without those behind the payload.
  cells[Slot::kCells - 1] = _mm_or_si128(_mm_srli_si128(four_at(12), 4), none);
}

std::uint64_t join(std::uint32_t low, std::uint32_t high) noexcept {
  return std::uint64_t{high} << 32U | low;
}

bool read_plain(const std::byte* slot, std::uint32_t epoch, MessageHead& head, std::byte* payload,
                std::size_t room) noexcept {
  const auto& mark = *reinterpret_cast<const std::uint64_t*>(slot + Slot::kPlainEpoch);
  if (peek_acquire(mark) != Slot::plain_mark(epoch)) {
    // Asked for now, it comes with the epoch and not after it.
    __builtin_prefetch(slot + Slot::kPayload);
    return false;
  }
  std::memcpy(&head, slot + Slot::kPlain, sizeof head);
  copy_payload(payload, slot + Slot::kPayload, std::min<std::size_t>(head.bytes, room));
  return true;
}

/// The cells of a message that is there as a whole, and the head in them; false where it is not.
bool read_words(const std::byte* slot, std::uint32_t epoch, std::uint32_t (&words)[Slot::kWords],
                WireHead& wire) noexcept {
  if (!read_cell(slot, 0, epoch, words)) return false;
  const std::size_t cells = Slot::cells(WireHead::bytes_of(words[0]));
  for (std::size_t cell = 1; cell < cells; ++cell)
    if (!read_cell(slot, cell, epoch, words + Slot::kCellWords * cell)) return false;
  std::memcpy(&wire, words, sizeof wire);
  return true;
}

MessageHead plain_head(const std::byte* slot) noexcept {
  MessageHead head;
  std::memcpy(&head, slot + Slot::kPlain, sizeof head);
  return head;
}

/// `head_in` makes a head of a WireHead that is not plain.
template <class HeadIn>
bool read_cells(const std::byte* slot, std::uint32_t epoch, MessageHead& head, std::byte* payload,
                std::size_t room, const HeadIn& head_in) noexcept {
  std::uint32_t words[Slot::kWords];
  WireHead wire;
  if (!read_words(slot, epoch, words, wire)) return false;
  head = wire.is_plain() ? plain_head(slot) : head_in(wire);
  const std::size_t bytes = std::min<std::size_t>(wire.bytes(), room);
  const void* const from = wire.bytes() > Slot::kMostCellBytes
                               ? static_cast<const void*>(slot + Slot::kPayload)
                               : words + WireHead::kWords;
  if (bytes > 0) std::memcpy(payload, from, bytes);
  return true;
}

}  // namespace

void write_cells(std::byte* slot, std::uint32_t epoch, const MessageHead& head,
                 const void* payload) noexcept {
  const WireHead wire = wire_to_kernel(head);
  if (wire.is_plain()) std::memcpy(slot + Slot::kPlain, &head, sizeof head);
  const bool is_long = head.bytes > Slot::kMostCellBytes;
  if (is_long && payload != slot + Slot::kPayload) std::memcpy(slot + Slot::kPayload, payload, head.bytes);
  // The payload begins with the last word of the third cell.
  std::uint32_t words[1 + Slot::kWords - WireHead::kWords] = {};
  if (!is_long && head.bytes > 0) std::memcpy(words, payload, head.bytes);
  const std::uint32_t* const w = wire.words;
  write_cell(slot, 0, join(w[0], w[1]), w[2], epoch);
  write_cell(slot, 1, join(w[3], w[4]), w[5], epoch);
  write_cell(slot, 2, join(w[6], w[7]), words[0], epoch);
  const std::size_t cells = Slot::cells(head.bytes);
  for (std::size_t cell = 3; cell < cells; ++cell) {
    const std::uint32_t* const three = words + Slot::kCellWords * cell - WireHead::kWords;
    write_cell(slot, cell, join(three[0], three[1]), three[2], epoch);
  }
}

void write_lines(std::byte* slot, std::uint32_t epoch, const MessageHead& head,
                 const void* payload) noexcept {
  const WireHead wire = wire_to_kernel(head);
  const bool is_long = head.bytes > Slot::kMostCellBytes;
  if (wire.is_plain()) store_lines(slot + Slot::kPlain, &head, sizeof head);
  if (is_long) store_lines(slot + Slot::kPayload, payload, head.bytes);
  if (wire.is_plain() || is_long) _mm_sfence();  // the cells come after it
  alignas(kLineBytes) __m128i cells[Slot::kCells];
  if (!is_long && head.bytes == Slot::kMostCellBytes) {
    fill_cells(cells, wire, payload, epoch);
  } else {
    std::byte whole[Slot::kMostCellBytes] = {};
    if (!is_long && head.bytes > 0) std::memcpy(whole, payload, head.bytes);
    fill_cells(cells, wire, whole, epoch);
  }
  const std::size_t bytes = Slot::cells(head.bytes) * Slot::kCellBytes;
  for (std::size_t at = 0; at < bytes; at += kLineBytes)
    store_line(slot + at, reinterpret_cast<const std::byte*>(cells) + at);
}

bool read_cells_at_kernel(const std::byte* slot, std::uint32_t epoch, std::int64_t now_ns, MessageHead& head,
                          std::byte* payload, std::size_t payload_room) noexcept {
  return read_cells(slot, epoch, head, payload, payload_room,
                    [now_ns](const WireHead& wire) { return head_at_kernel(wire, now_ns); });
}

bool read_slot(const std::byte* slot, std::uint32_t epoch, MessageHead& head, std::byte* payload,
               std::size_t payload_room) noexcept {
  return read_plain(slot, epoch, head, payload, payload_room) ||
         read_cells(slot, epoch, head, payload, payload_room, head_at_host);
}

}  // namespace ringwave::ring
