// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/cpu/band_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <thread>
#include <vector>

namespace ringwave::ring {
namespace {

class BandQueueOf : public testing::TestWithParam<Readers> {
 protected:
  [[nodiscard]] static BandQueue made(std::size_t capacity, std::uint64_t first_id = 1) {
    return {capacity, 64, first_id, GetParam()};
  }
};

MessageHead head_of(std::uint32_t type, std::uint32_t argument = 0) {
  MessageHead head;
  head.type = type;
  head.argument = argument;
  head.bytes = sizeof argument;
  return head;
}

TEST_P(BandQueueOf, HoldsItsCapacityInOrder) {
  BandQueue queue = made(16, 100);
  std::byte payload[64];
  MessageHead head;
  for (std::uint32_t lap = 0; lap < 5; ++lap) {
    for (std::uint32_t i = 0; i < 16; ++i) ASSERT_TRUE(queue.try_push(head_of(i), &i));
    EXPECT_FALSE(queue.try_push(head_of(99), &lap)) << "it is full";
    EXPECT_EQ(queue.size(), 16U);
    for (std::uint32_t i = 0; i < 16; ++i) {
      ASSERT_TRUE(queue.try_pop(head, payload));
      EXPECT_EQ(head.type, i);
      EXPECT_EQ(head.id, 100 + lap * 16 + i) << "ids are given in order";
      EXPECT_EQ(std::memcmp(payload, &i, sizeof i), 0);
    }
    EXPECT_FALSE(queue.try_pop(head, payload));
  }
}

TEST_P(BandQueueOf, KeepsAnIdThatTheSenderGave) {
  BandQueue queue = made(16);
  MessageHead sent = head_of(0);
  sent.id = 4711;
  const std::uint32_t nothing = 0;
  ASSERT_TRUE(queue.try_push(sent, &nothing));
  MessageHead head;
  std::byte payload[64];
  ASSERT_TRUE(queue.try_pop(head, payload));
  EXPECT_EQ(head.id, 4711U);
}

TEST_P(BandQueueOf, TakesNoMoreOfAPayloadThanThereIsRoomFor) {
  BandQueue queue = made(16);
  for (std::uint32_t i = 0; i < 16; ++i) ASSERT_TRUE(queue.try_push(head_of(i), &i));
  MessageHead head;
  ASSERT_TRUE(queue.try_pop(head, {}));
  EXPECT_EQ(head.type, 0U);
  const std::uint32_t last = 16;
  EXPECT_TRUE(queue.try_push(head_of(last), &last)) << "there is room again";
  std::byte payload[64];
  for (std::uint32_t i = 1; i <= last; ++i) {
    ASSERT_TRUE(queue.try_pop(head, payload));
    EXPECT_EQ(std::memcmp(payload, &i, sizeof i), 0);
  }
}

TEST_P(BandQueueOf, LosesAndRepeatsNothingAmongThreads) {
  BandQueue queue = made(64);
  constexpr std::uint32_t kEach = 20'000;
  constexpr std::uint32_t kSenders = 2;
  std::vector<std::thread> senders;
  for (std::uint32_t sender = 0; sender < kSenders; ++sender)
    senders.emplace_back([&queue, sender] {
      for (std::uint32_t i = 0; i < kEach; ++i)
        while (!queue.try_push(head_of(sender, i), &i)) std::this_thread::yield();
    });
  std::atomic<std::uint32_t> taken{0};
  std::vector<std::thread> takers;
  std::vector<std::map<std::uint32_t, std::vector<std::uint32_t>>> got(GetParam() == Readers::one ? 1 : 2);
  for (auto& mine : got)
    takers.emplace_back([&queue, &taken, &mine] {
      MessageHead head;
      std::byte payload[64];
      while (taken.load() < kEach * kSenders) {
        if (!queue.try_pop(head, payload)) {
          std::this_thread::yield();
          continue;
        }
        ++taken;
        ASSERT_EQ(std::memcmp(payload, &head.argument, 4), 0);
        mine[head.type].push_back(head.argument);
      }
    });
  for (std::thread& thread : senders) thread.join();
  for (std::thread& thread : takers) thread.join();
  for (std::uint32_t sender = 0; sender < kSenders; ++sender) {
    std::vector<std::uint32_t> all;
    for (auto& mine : got) {
      EXPECT_TRUE(std::ranges::is_sorted(mine[sender])) << "each taker sees a sender's messages in order";
      all.insert(all.end(), mine[sender].begin(), mine[sender].end());
    }
    std::ranges::sort(all);
    ASSERT_EQ(all.size(), kEach);
    for (std::uint32_t i = 0; i < kEach; ++i) ASSERT_EQ(all[i], i);
  }
}

INSTANTIATE_TEST_SUITE_P(Readers, BandQueueOf, testing::Values(Readers::one, Readers::many),
                         [](const auto& form) { return form.param == Readers::one ? "One" : "Many"; });

}  // namespace
}  // namespace ringwave::ring
