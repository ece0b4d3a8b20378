// SPDX-License-Identifier: Apache-2.0
// Any bytes have the same pages however they are cut; the first byte says how many come at once.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <tuple>
#include <vector>

#include "ringwave/stream/ogg_page_parser.hpp"

namespace {

using ringwave::stream::OggPageParser;
using Pages = std::vector<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::size_t>>;

Pages parse(std::span<const std::byte> bytes, std::size_t at_once) {
  Pages pages;
  OggPageParser parser;
  std::size_t total = 0;
  const std::size_t given = bytes.size();
  while (!bytes.empty()) {
    auto read = bytes.first(std::min(at_once, bytes.size()));
    bytes = bytes.subspan(read.size());
    while (const auto page = parser.next(read)) {
      pages.emplace_back(page->position, page->stream, page->sequence, page->bytes);
      total += page->bytes;
    }
    if (!read.empty()) std::abort();
  }
  if (total + parser.skipped_bytes() > given) std::abort();
  return pages;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto bytes = std::as_bytes(std::span(data, size).subspan(1));
  if (parse(bytes, size) != parse(bytes, std::max<std::size_t>(1, data[0]))) std::abort();
  return 0;
}
