// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/slot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace ringwave::ring {
namespace {

constexpr std::size_t kMost = 4096;

class SlotTest : public testing::TestWithParam<std::size_t> {
 protected:
  std::byte* slot() { return memory_; }

  static std::vector<std::byte> payload_of(std::size_t bytes, int seed) {
    std::vector<std::byte> payload(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
      payload[i] = static_cast<std::byte>(i * 3 + static_cast<std::size_t>(seed));
    return payload;
  }
  static MessageHead head_of(std::size_t bytes, int seed) {
    MessageHead head;
    head.id = static_cast<std::uint64_t>(seed) * 1'000'000'007;
    head.correlation = ~head.id >> 16U;
    head.sent_ns = -seed;
    head.bytes = static_cast<std::uint32_t>(bytes);
    head.type = static_cast<std::uint32_t>(seed);
    head.flags = MessageHead::kRequest;
    return head;
  }

  /// As a device writes to the host; the last cell first, because no order is promised.
  void write_as_device(std::uint32_t epoch, const MessageHead& head, const std::vector<std::byte>& payload) {
    const WireHead wire = wire_to_host(head);
    std::uint32_t words[Slot::kWords] = {};
    std::memcpy(words, &wire, sizeof wire);
    const bool is_long = payload.size() > Slot::kMostCellBytes;
    if (wire.is_plain()) std::memcpy(slot() + Slot::kPlain, &head, sizeof head);
    if (!payload.empty())
      std::memcpy(is_long ? static_cast<void*>(slot() + Slot::kPayload) : words + WireHead::kWords,
                  payload.data(), payload.size());
    auto* const halves = reinterpret_cast<std::uint64_t*>(slot());
    for (std::size_t cell = Slot::cells(head.bytes); cell-- > 0;) {
      const std::uint32_t* const three = words + Slot::kCellWords * cell;
      poke_release(halves[2 * cell], std::uint64_t{three[1]} << 32U | three[0]);
      poke_release(halves[2 * cell + 1], std::uint64_t{epoch} << 32U | three[2]);
    }
  }
  /// The payload of a message to a kernel, as a device reads it.
  std::vector<std::byte> payload_at_kernel(std::size_t bytes) {
    std::uint32_t words[Slot::kWords];
    for (std::size_t cell = 0; cell < Slot::kCells; ++cell)
      std::memcpy(words + Slot::kCellWords * cell, slot() + Slot::kCellBytes * cell, Slot::kCellWords * 4);
    const auto* const in_cells = reinterpret_cast<const std::byte*>(words + WireHead::kWords);
    const std::byte* const from = bytes > Slot::kMostCellBytes ? slot() + Slot::kPayload : in_cells;
    return {from, from + bytes};
  }

 private:
  alignas(Slot::kAlignment) std::byte memory_[Slot::stride(kMost)]{};
};

TEST_P(SlotTest, GivesBackWhatWasWritten) {
  const std::size_t bytes = GetParam();
  std::vector<std::byte> read(kMost);
  for (std::uint32_t epoch = 1; epoch < 6; ++epoch) {
    const auto payload = payload_of(bytes, static_cast<int>(epoch));
    MessageHead head = head_of(bytes, static_cast<int>(epoch));
    if (epoch > 3) head.argument = 7;  // for which the cells have no room
    MessageHead found;
    EXPECT_FALSE(read_slot(slot(), epoch, found, read.data(), kMost)) << "it is not written yet";
    if (epoch % 2 == 0)
      write_plain(slot(), epoch, head, payload.data());
    else
      write_as_device(epoch, head, payload);
    ASSERT_TRUE(read_slot(slot(), epoch, found, read.data(), kMost));
    EXPECT_EQ(std::memcmp(&found, &head, sizeof head), 0);
    EXPECT_TRUE(std::equal(payload.begin(), payload.end(), read.begin()));
    EXPECT_FALSE(read_slot(slot(), epoch + 1, found, read.data(), kMost))
        << "of the next lap there is nothing";
  }
}

TEST_P(SlotTest, HoldsWhatAKernelIsSent) {
  const std::size_t bytes = GetParam();
  for (std::uint32_t epoch = 1; epoch < 10; ++epoch) {
    const auto payload = payload_of(bytes, static_cast<int>(epoch));
    MessageHead head = head_of(bytes, static_cast<int>(epoch));
    if (epoch % 2 == 0) head.id = 0;
    head.deadline_ns = head.sent_ns + 5'000'000'000;
    head.argument = 9;
    MessageHead found;
    EXPECT_FALSE(read_cells_at_kernel(slot(), epoch, head.sent_ns, found)) << "it is not written yet";
    const auto write = epoch % 4 < 2 ? write_cells : write_lines;
    write(slot(), epoch, head, payload.data());
    ASSERT_TRUE(read_cells_at_kernel(slot(), epoch, head.sent_ns + 1'000'000, found));
    EXPECT_EQ(std::memcmp(&found, &head, sizeof head), 0);
    EXPECT_EQ(payload_at_kernel(bytes), payload);
    EXPECT_FALSE(read_cells_at_kernel(slot(), epoch + 1, head.sent_ns, found));
  }
}

TEST_P(SlotTest, IsNeverReadBeforeItIsWhole) {
  const std::size_t bytes = GetParam();
  constexpr std::uint32_t kLaps = 200;
  std::atomic<std::uint32_t> taken{0};
  std::thread writer([&] {
    for (std::uint32_t epoch = 1; epoch <= kLaps; ++epoch) {
      write_as_device(epoch, head_of(bytes, static_cast<int>(epoch)),
                      payload_of(bytes, static_cast<int>(epoch)));
      while (taken.load(std::memory_order_acquire) != epoch) std::this_thread::yield();
    }
  });
  std::vector<std::byte> read(kMost);
  for (std::uint32_t epoch = 1; epoch <= kLaps; ++epoch) {
    MessageHead found;
    while (!read_slot(slot(), epoch, found, read.data(), kMost)) std::this_thread::yield();
    const auto payload = payload_of(bytes, static_cast<int>(epoch));
    ASSERT_EQ(found.id, head_of(bytes, static_cast<int>(epoch)).id);
    ASSERT_TRUE(std::equal(payload.begin(), payload.end(), read.begin()));
    taken.store(epoch, std::memory_order_release);
  }
  writer.join();
}

TEST(Slot, DoesNotReadPastTheRoomOfItsReader) {
  std::vector<std::uint64_t> memory(Slot::stride(kMost) / 8);
  auto* const slot = reinterpret_cast<std::byte*>(memory.data());
  const std::vector<std::byte> payload(1000, std::byte{7});
  MessageHead head;
  head.bytes = 1000;
  write_plain(slot, 1, head, payload.data());
  std::vector<std::byte> read(20, std::byte{1});
  MessageHead found;
  ASSERT_TRUE(read_slot(slot, 1, found, read.data(), 10));
  EXPECT_EQ(read[9], std::byte{7});
  EXPECT_EQ(read[10], std::byte{1});
  EXPECT_TRUE(read_slot(slot, 1, found, nullptr, 0));
}

// Around what fits into the cells.
INSTANTIATE_TEST_SUITE_P(Payloads, SlotTest,
                         testing::Values(0, 1, 3, 4, 5, 7, 8, 16, 17, 40, 63, 64, 65, 256, 4096));

}  // namespace
}  // namespace ringwave::ring
