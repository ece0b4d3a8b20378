// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/reply_desk.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace ringwave::ring {
namespace {

MessageHead reply_to(std::uint64_t correlation, std::uint32_t type) {
  MessageHead head;
  head.correlation = correlation;
  head.type = type;
  return head;
}

TEST(ReplyDesk, GivesEveryRequestASlotOfItsOwn) {
  ReplyDesk desk(Device::cpu(), 100, 64);
  std::set<std::size_t> slots;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t correlation = desk.open();
    ASSERT_NE(correlation, 0U);
    slots.insert(ReplyDesk::slot_of(correlation));
  }
  EXPECT_EQ(slots.size(), 100U);
  EXPECT_EQ(desk.open(), 0U) << "there are no more";
}

TEST(ReplyDesk, AnAnswerIsForItsRequestAlone) {
  ReplyDesk desk(Device::cpu(), 1, 64);
  Letter letter;
  letter.reserve(64);
  for (std::uint32_t i = 1; i <= 1000; ++i) {
    const std::uint64_t correlation = desk.open();
    ASSERT_FALSE(desk.look(correlation, letter)) << "the last answer is not this one's";
    desk.answer(correlation, reply_to(correlation, i), nullptr);
    ASSERT_TRUE(desk.look(correlation, letter));
    ASSERT_EQ(letter.head.type, i);
    desk.close(correlation);
  }
}

TEST(ReplyDesk, ASlotThatWasGivenUpIsFreeAfterItsLateAnswer) {
  ReplyDesk desk(Device::cpu(), 1, 64);
  const std::uint64_t late = desk.open();
  desk.abandon(late);
  EXPECT_EQ(desk.open(), 0U) << "the answer may still come";
  desk.answer(late, reply_to(late, 1), nullptr);
  const std::uint64_t next = desk.open();
  ASSERT_NE(next, 0U);
  EXPECT_NE(next, late);
  Letter letter;
  EXPECT_FALSE(desk.look(next, letter));
}

TEST(ReplyDesk, ThreadsDoNotDisturbEachOther) {
  ReplyDesk desk(Device::cpu(), 8, 64);
  std::vector<std::thread> threads;
  for (std::uint32_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&desk, thread] {
      Letter letter;
      letter.reserve(64);
      for (std::uint32_t i = 0; i < 5000; ++i) {
        const std::uint64_t correlation = desk.open();
        ASSERT_NE(correlation, 0U);
        desk.answer(correlation, reply_to(correlation, thread * 100000 + i), nullptr);
        ASSERT_TRUE(desk.look(correlation, letter));
        ASSERT_EQ(letter.head.type, thread * 100000 + i);
        desk.close(correlation);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(ReplyDesk, KnowsWhichIdsAreOpen) {
  ReplyDesk desk(Device::cpu(), 1, 64);
  const std::uint64_t before = desk.open();
  desk.answer(before, reply_to(before, 1), nullptr);  // which stays in the slot
  desk.close(before);
  const std::uint64_t now = desk.open();
  EXPECT_FALSE(desk.is_open(before));
  EXPECT_TRUE(desk.is_open(now));
  for (const std::uint64_t other :
       {before, std::uint64_t{0}, std::uint64_t{1} << 16U, now + 1, now + (std::uint64_t{1} << 16U),
        now | std::uint64_t{1} << 60U, ~std::uint64_t{0}}) {
    EXPECT_FALSE(desk.is_open(other)) << other;
    desk.abandon(other);
    EXPECT_EQ(desk.open(), 0U) << "the slot is still the request's, after " << other;
  }
  desk.abandon(now);
  EXPECT_FALSE(desk.is_open(now)) << "it was given up";
}

TEST(ReplyDesk, ASecondAnswerToAnEarlierRequestOfTheSlotChangesNothing) {
  ReplyDesk desk(Device::cpu(), 1, 64);
  Letter letter;
  letter.reserve(64);
  const std::uint64_t before = desk.open();
  desk.answer(before, reply_to(before, 1), nullptr);
  desk.close(before);
  const std::uint64_t now = desk.open();
  ASSERT_EQ(ReplyDesk::slot_of(now), ReplyDesk::slot_of(before));
  desk.answer(now, reply_to(now, 2), nullptr);
  desk.answer_again(before, reply_to(before, 3));
  ASSERT_TRUE(desk.look(now, letter));
  EXPECT_EQ(letter.head.type, 2U);
  desk.answer_again(now, reply_to(now, 4));
  ASSERT_TRUE(desk.look(now, letter));
  EXPECT_EQ(letter.head.type, 4U) << "of the present one it does";
}

}  // namespace
}  // namespace ringwave::ring
