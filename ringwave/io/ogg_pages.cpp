// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/ogg_pages.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace ringwave::io {
namespace {

static_assert(std::endian::native == std::endian::little, "a page's numbers are read as they lie");

constexpr std::size_t kPositionAt = 6;
constexpr std::size_t kChecksumAt = 22;
constexpr std::size_t kSegmentsAt = 26;
constexpr std::size_t kHeadBytes = 27;  // and then one byte for each segment, which says how long it is

/// The bytes of the first page; none where there is no whole one.
std::size_t page_bytes(std::span<const std::byte> pages) noexcept {
  constexpr std::array kMagic{std::byte{'O'}, std::byte{'g'}, std::byte{'g'}, std::byte{'S'}};
  if (pages.size() < kHeadBytes || !std::ranges::equal(kMagic, pages.first(kMagic.size()))) return 0;
  const auto segments = std::to_integer<std::size_t>(pages[kSegmentsAt]);
  std::size_t bytes = kHeadBytes + segments;
  if (pages.size() < bytes) return 0;
  for (const std::byte length : pages.subspan(kHeadBytes, segments))
    bytes += std::to_integer<std::size_t>(length);
  return bytes <= pages.size() ? bytes : 0;
}

/// Ogg's own: by the polynomial 0x04c11db7, from the highest bit on, begun with 0.
std::uint32_t checksum(std::span<const std::byte> page) noexcept {
  std::uint32_t sum = 0;
  for (const std::byte byte : page) {
    sum ^= std::to_integer<std::uint32_t>(byte) << 24U;
    for (int bit = 0; bit < 8; ++bit) sum = sum << 1U ^ (sum >> 31U != 0 ? 0x04c11db7U : 0U);
  }
  return sum;
}

}  // namespace

bool shorten_ogg(std::span<std::byte> pages, std::int64_t granules) noexcept {
  std::size_t bytes = page_bytes(pages);
  while (bytes != 0 && bytes < pages.size()) {
    pages = pages.subspan(bytes);
    bytes = page_bytes(pages);
  }
  if (bytes == 0) return false;
  std::int64_t position = 0;
  std::memcpy(&position, &pages[kPositionAt], sizeof position);
  if (position < granules) return false;
  position -= granules;
  std::memcpy(&pages[kPositionAt], &position, sizeof position);
  std::uint32_t sum = 0;  // which is what it counts as itself
  std::memcpy(&pages[kChecksumAt], &sum, sizeof sum);
  sum = checksum(pages);
  std::memcpy(&pages[kChecksumAt], &sum, sizeof sum);
  return true;
}

}  // namespace ringwave::io
