// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/ogg_page_parser.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ringwave::stream {
namespace {

using Bytes = std::vector<std::byte>;

void put(Bytes& bytes, std::uint64_t number, int count) {
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<std::byte>(number >> (8 * i)));
}

Bytes page(int flags, std::uint64_t position, std::uint32_t sequence, std::size_t payload) {
  Bytes made{std::byte{'O'}, std::byte{'g'}, std::byte{'g'}, std::byte{'S'}, std::byte{0}};
  put(made, static_cast<std::uint64_t>(flags), 1);
  put(made, position, 8);
  put(made, 0xcafe, 4);
  put(made, sequence, 4);
  put(made, 0, 4);
  put(made, payload / 255 + 1, 1);
  for (std::size_t left = payload; left >= 255; left -= 255) made.push_back(std::byte{255});
  put(made, payload % 255, 1);
  made.resize(made.size() + payload, std::byte{'O'});
  return made;
}

std::vector<OggPageParser::Page> parse(OggPageParser& parser, const Bytes& bytes, std::size_t at_once) {
  std::vector<OggPageParser::Page> pages;
  std::span<const std::byte> rest(bytes);
  while (!rest.empty()) {
    auto read = rest.first(std::min(at_once, rest.size()));
    rest = rest.subspan(read.size());
    while (const auto found = parser.next(read)) pages.push_back(*found);
  }
  return pages;
}

TEST(OggPageParser, FindsPagesHoweverTheyAreCut) {
  Bytes stream = page(2, 0, 0, 19);
  for (const Bytes& more :
       {page(0, 960, 77, 1000), page(0, ~std::uint64_t{0}, 78, 0), page(4, 1920, 79, 255)})
    stream.insert(stream.end(), more.begin(), more.end());
  for (const std::size_t at_once : {std::size_t{1}, std::size_t{5}, std::size_t{100}, std::size_t{100000}}) {
    OggPageParser parser;
    const auto pages = parse(parser, stream, at_once);
    ASSERT_EQ(pages.size(), 4U) << at_once;
    EXPECT_TRUE(pages[0].begins_stream);
    EXPECT_EQ(pages[1].position, 960U);
    EXPECT_EQ(pages[1].sequence, 77U);
    EXPECT_EQ(pages[1].stream, 0xcafeU);
    EXPECT_EQ(pages[1].bytes, page(0, 960, 77, 1000).size());
    EXPECT_EQ(pages[2].position, OggPageParser::kNoPosition);
    EXPECT_TRUE(pages[3].ends_stream);
    EXPECT_EQ(parser.skipped_bytes(), 0U);
  }
}

TEST(OggPageParser, SkipsWhatIsNoPage) {
  Bytes stream(100, std::byte{'x'});
  for (const char letter : {'O', 'g', 'O', 'O', 'g', 'g', 'x'})
    stream.push_back(static_cast<std::byte>(letter));
  stream.push_back(std::byte{'O'});
  const Bytes whole = page(0, 960, 5, 40);
  stream.insert(stream.end(), whole.begin(), whole.end());
  for (const std::size_t at_once : {std::size_t{1}, std::size_t{1000}}) {
    OggPageParser parser;
    ASSERT_EQ(parse(parser, stream, at_once).size(), 1U);
    EXPECT_EQ(parser.skipped_bytes(), 108U);
  }
}

}  // namespace
}  // namespace ringwave::stream
