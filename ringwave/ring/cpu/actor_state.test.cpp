// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/cpu/actor_state.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "ringwave/core/device.hpp"
#include "ringwave/ring/echo.hpp"

namespace ringwave::ring {
namespace {

HostRequest of_echo() {
  constexpr std::size_t kBytes = 64;
  return {.spec = {.max_payload_bytes = kBytes},
          .handler = handler<Echo>(Echo::kName),
          .desk = std::make_shared<ReplyDesk>(Device::cpu(), 64, kBytes)};
}

/// Takes a message as the thread does; false where it was given up.
bool take(ActorState& state, std::uint64_t number, std::uint8_t flags = MessageHead::kRequest) {
  if (!state.enter()) return false;
  state.head.correlation = number;
  state.head.flags = flags;
  state.open_answer();
  state.leave();
  return true;
}

TEST(ActorState, AThreadThatIsGivenUpTakesNothingAfterItsSuccessorDid) {
  const HostRequest request = of_echo();
  for (std::uint64_t round = 0; round < 500; ++round) {
    ActorState state(request);
    std::uint64_t taken = 0;  // of whoever may take: a thread sanitizer sees both
    std::atomic<std::uint64_t> seen{0};
    std::thread thread([&] {
      while (state.enter()) {
        const std::uint64_t number = ++taken;
        state.leave();
        seen.store(number, std::memory_order_release);
      }
    });
    while (seen.load(std::memory_order_acquire) <= round % 50) std::this_thread::yield();
    state.abandon();
    const std::uint64_t before = taken;
    ++taken;
    thread.join();
    ASSERT_EQ(taken, before + 1);
  }
}

TEST(ActorState, EveryRequestThatAGivenUpThreadTookIsAnsweredOnce) {
  const HostRequest request = of_echo();
  for (std::uint64_t round = 0; round < 500; ++round) {
    ActorState state(request);
    std::vector<std::uint64_t> answers;  // the numbers of requests
    std::atomic<std::uint64_t> seen{0};
    std::thread thread([&] {
      for (std::uint64_t number = 1; take(state, number); ++number) {
        if (state.claim_answer()) answers.push_back(number);
        EXPECT_FALSE(state.claim_answer()) << "a second time";
        seen.store(number, std::memory_order_release);
      }
    });
    while (seen.load(std::memory_order_acquire) <= round % 50) std::this_thread::yield();
    state.abandon();
    const std::uint64_t in_hand = state.head.correlation;
    const bool is_answered_instead = state.claim_answer_of_abandoned();
    thread.join();
    if (is_answered_instead) answers.push_back(in_hand);
    ASSERT_EQ(answers.size(), in_hand);
    for (std::uint64_t i = 0; i < in_hand; ++i) ASSERT_EQ(answers[i], i + 1);
  }
}

TEST(ActorState, OfAThreadAndWhoeverGaveItUpOneClaimsTheAnswer) {
  constexpr int kRounds = 2000;
  const HostRequest request = of_echo();
  std::unique_ptr<ActorState> state;
  std::barrier meet(2);
  std::atomic<int> claims{0};
  std::thread thread([&] {
    for (int round = 0; round < kRounds; ++round) {
      meet.arrive_and_wait();
      if (state->claim_answer()) ++claims;
      meet.arrive_and_wait();
    }
  });
  for (int round = 0; round < kRounds; ++round) {
    state = std::make_unique<ActorState>(request);
    EXPECT_TRUE(take(*state, 1));
    // By turns there may be somebody who has the right to claim at once, or not.
    if (round % 2 == 0) state->abandon();
    meet.arrive_and_wait();
    if (round % 2 != 0) state->abandon();
    if (state->claim_answer_of_abandoned()) ++claims;
    meet.arrive_and_wait();
    EXPECT_EQ(claims.exchange(0), 1);
  }
  thread.join();
}

TEST(ActorState, NobodyClaimsTheAnswerToWhatIsNoRequest) {
  ActorState state(of_echo());
  ASSERT_TRUE(take(state, 1, 0));
  EXPECT_TRUE(state.is_answered());
  EXPECT_FALSE(state.claim_answer());
  state.abandon();
  EXPECT_FALSE(state.claim_answer_of_abandoned());
}

TEST(ActorState, AnAnswerThatWasGivenBackIsClaimedAgain) {
  ActorState state(of_echo());
  ASSERT_TRUE(take(state, 1));
  ASSERT_TRUE(state.claim_answer());
  state.unclaim_answer();
  state.abandon();
  EXPECT_TRUE(state.claim_answer_of_abandoned());
  EXPECT_FALSE(state.claim_answer()) << "it was answered instead";
  EXPECT_FALSE(take(state, 2));
}

}  // namespace
}  // namespace ringwave::ring
