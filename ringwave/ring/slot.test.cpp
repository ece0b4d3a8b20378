// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/slot.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace ringwave::ring {
namespace {

constexpr std::size_t kMost = 4096;

class SlotTest : public testing::TestWithParam<std::size_t> {
 protected:
  std::byte* slot() { return reinterpret_cast<std::byte*>(memory_.data()); }

  static std::vector<std::byte> payload_of(std::size_t bytes, int seed) {
    std::vector<std::byte> payload(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
      payload[i] = static_cast<std::byte>(i * 3 + static_cast<std::size_t>(seed));
    return payload;
  }
  static MessageHead head_of(std::size_t bytes, int seed) {
    MessageHead head;
    head.id = static_cast<std::uint64_t>(seed) * 1'000'000'007;
    head.correlation = ~head.id;
    head.deadline_ns = -seed;
    head.bytes = static_cast<std::uint32_t>(bytes);
    head.type = static_cast<std::uint32_t>(seed);
    head.flags = MessageHead::kRequest;
    return head;
  }

 private:
  std::vector<std::uint64_t> memory_ = std::vector<std::uint64_t>(Slot::stride(kMost) / 8);
};

TEST_P(SlotTest, GivesBackWhatWasWritten) {
  const std::size_t bytes = GetParam();
  std::vector<std::byte> read(kMost);
  for (std::uint32_t epoch = 1; epoch < 6; ++epoch) {
    const auto payload = payload_of(bytes, static_cast<int>(epoch));
    const MessageHead head = head_of(bytes, static_cast<int>(epoch));
    MessageHead found;
    EXPECT_FALSE(read_slot(slot(), epoch, found, read.data(), kMost)) << "it is not written yet";
    if (epoch % 2 == 0)
      write_plain(slot(), epoch, head, payload.data());
    else
      write_cells(slot(), epoch, head, payload.data());
    ASSERT_TRUE(read_slot(slot(), epoch, found, read.data(), kMost));
    EXPECT_EQ(std::memcmp(&found, &head, sizeof head), 0);
    EXPECT_TRUE(std::equal(payload.begin(), payload.end(), read.begin()));
    EXPECT_FALSE(read_slot(slot(), epoch + 1, found, read.data(), kMost))
        << "of the next lap there is nothing";
  }
}

TEST_P(SlotTest, IsNeverReadBeforeItIsWhole) {
  const std::size_t bytes = GetParam();
  constexpr std::uint32_t kLaps = 200;
  std::atomic<std::uint32_t> taken{0};
  std::thread writer([&] {
    for (std::uint32_t epoch = 1; epoch <= kLaps; ++epoch) {
      const auto payload = payload_of(bytes, static_cast<int>(epoch));
      write_cells(slot(), epoch, head_of(bytes, static_cast<int>(epoch)), payload.data());
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
  write_cells(slot, 1, head, payload.data());
  std::vector<std::byte> read(20, std::byte{1});
  MessageHead found;
  ASSERT_TRUE(read_slot(slot, 1, found, read.data(), 10));
  EXPECT_EQ(read[9], std::byte{7});
  EXPECT_EQ(read[10], std::byte{1});
  EXPECT_TRUE(read_slot(slot, 1, found, nullptr, 0));
}

// Around what fits into the cells.
INSTANTIATE_TEST_SUITE_P(Payloads, SlotTest, testing::Values(0, 1, 4, 7, 8, 64, 76, 79, 80, 81, 256, 4096));

}  // namespace
}  // namespace ringwave::ring
