// SPDX-License-Identifier: Apache-2.0
#include "apps/server/icy_metadata.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ringwave::server {
namespace {

std::string text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// All that goes out for sound that comes in pieces of a size.
std::string sent(IcyMetadata& icy, std::size_t pieces, std::size_t piece_bytes) {
  const std::vector sound(piece_bytes, std::byte{'s'});
  std::string made;
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::vector<std::span<const std::byte>> piece{sound};
    for (const auto part : icy.woven(piece)) made += text(part);
  }
  return made;
}

TEST(IcyMetadata, BlockIsPaddedToSixteenBytes) {
  const std::string block = text(icy_block("it's"));
  EXPECT_EQ(block.size() % 16, 1U);
  EXPECT_EQ(static_cast<std::size_t>(block[0]) * 16 + 1, block.size());
  EXPECT_EQ(block.substr(1, 19), "StreamTitle='it s';");
  EXPECT_EQ(text(icy_block(std::string(1000, 'x'))).size(), 1 + 16 * 14U);
}

TEST(IcyMetadata, StandsAtTheSamePlacesHoweverTheSoundIsCut) {
  const std::size_t wanted = 3 * IcyMetadata::kInterval;
  std::string first;
  for (const std::size_t bytes : {1U, 417U, 16000U, 48000U}) {
    IcyMetadata icy;
    icy.set_title("night");
    const std::string made = sent(icy, wanted / bytes + 1, bytes).substr(0, wanted + 3 + 32);
    if (first.empty()) first = made;
    EXPECT_EQ(made, first) << bytes;
  }
  EXPECT_EQ(first.substr(IcyMetadata::kInterval + 1, 20), "StreamTitle='night';");
  EXPECT_EQ(first[2 * IcyMetadata::kInterval + 33], '\0');  // it is still the same
}

TEST(IcyMetadata, TellsANewTitleOnce) {
  IcyMetadata icy;
  icy.set_title("one");
  (void)sent(icy, 1, IcyMetadata::kInterval);
  icy.set_title("two");
  EXPECT_NE(sent(icy, 1, IcyMetadata::kInterval).find("StreamTitle='two';"), std::string::npos);
  EXPECT_EQ(sent(icy, 1, IcyMetadata::kInterval).size(), IcyMetadata::kInterval + 1);
}

}  // namespace
}  // namespace ringwave::server
