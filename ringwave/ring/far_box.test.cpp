// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/far_box.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace ringwave::ring {
namespace {

/// What a kernel on a GPU does.
void hand_over(const FarBox& box, std::size_t band, std::uint64_t index, std::uint32_t target,
               std::span<const std::byte> payload) {
  MessageHead head;
  head.type = static_cast<std::uint32_t>(index);
  head.argument = target;
  head.bytes = static_cast<std::uint32_t>(payload.size());
  head.sent_ns = ring_now_ns();
  head.deadline_ns = head.sent_ns + 1'000'000;
  write_cells(box.wire().slot(index, band), box.wire().epoch(index), head, payload.data());
}

TEST(FarBox, GivesWhatWasHandedOverBandByBand) {
  start_ring_clock();
  FarBox box(Device::cpu(), 400);
  Letter letter;
  letter.reserve(400);
  for (std::size_t band = 0; band < kBands; ++band) EXPECT_FALSE(box.try_take(band, letter));
  std::array<std::byte, 400> bytes{};
  for (std::uint64_t index = 0; index < 5 * FarBox::kCapacity; ++index) {
    const std::size_t size = index % 2 == 0 ? 60 : 400;  // in the cells, and behind them
    bytes.fill(static_cast<std::byte>(index));
    hand_over(box, 2, index, 7, std::span(bytes).first(size));
    EXPECT_FALSE(box.try_take(1, letter)) << "it is another band's";
    ASSERT_TRUE(box.try_take(2, letter));
    EXPECT_EQ(letter.head.type, index);
    EXPECT_EQ(letter.head.argument, 7U);
    EXPECT_EQ(letter.head.deadline_ns, letter.head.sent_ns + 1'000'000);
    ASSERT_EQ(letter.payload().size(), size);
    EXPECT_EQ(std::memcmp(letter.payload().data(), bytes.data(), size), 0);
    EXPECT_EQ(box.taken()[2], index + 1) << "its slot may be used again";
    EXPECT_FALSE(box.try_take(2, letter)) << "what is left of the last lap is no message";
  }
}

}  // namespace
}  // namespace ringwave::ring
