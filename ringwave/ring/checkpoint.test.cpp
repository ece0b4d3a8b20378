// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/checkpoint.hpp"

#include <gtest/gtest.h>

#include "ringwave/core/error.hpp"

namespace ringwave::ring {
namespace {

const std::vector<std::byte> kState{std::byte{1}, std::byte{2}, std::byte{3}};

TEST(Checkpoint, ComesBackAsItWas) {
  EXPECT_EQ(read_checkpoint(write_checkpoint("echo", kState), "echo", 3), kState);
  EXPECT_TRUE(read_checkpoint(write_checkpoint("empty", {}), "empty", 0).empty());
}

TEST(Checkpoint, OfAnotherHandlerIsRefused) {
  const auto checkpoint = write_checkpoint("echo", kState);
  EXPECT_THROW((void)read_checkpoint(checkpoint, "other", 3), InvalidArgument);
  EXPECT_THROW((void)read_checkpoint(checkpoint, "echo", 4), InvalidArgument);
}

TEST(Checkpoint, EveryTornOneIsRefused) {
  const auto whole = write_checkpoint("echo", kState);
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THROW((void)read_checkpoint(std::span(whole).first(size), "echo", 3), InvalidArgument) << size;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    auto torn = whole;
    torn[at] ^= std::byte{16};
    EXPECT_THROW((void)read_checkpoint(torn, "echo", 3), InvalidArgument) << at;
  }
  auto longer = whole;
  longer.push_back(std::byte{0});
  EXPECT_THROW((void)read_checkpoint(longer, "echo", 3), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::ring
