// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/far_fence.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <thread>

namespace ringwave::ring {
namespace {

TEST(FarFence, OfTwoWhoWriteAndThenLookOneSeesTheOther) {
  constexpr int kRounds = 2000;
  std::atomic<int> often{0};
  std::atomic<int> seldom{0};
  int seen_by_often = 0;
  int seen_by_seldom = 0;
  int missed = 0;
  std::barrier meet(2);
  std::thread other([&] {
    for (int round = 1; round <= kRounds; ++round) {
      meet.arrive_and_wait();
      seldom.store(round, std::memory_order_relaxed);
      far_fence();
      seen_by_seldom = often.load(std::memory_order_relaxed);
      meet.arrive_and_wait();
    }
  });
  for (int round = 1; round <= kRounds; ++round) {
    meet.arrive_and_wait();
    often.store(round, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    seen_by_often = seldom.load(std::memory_order_relaxed);
    meet.arrive_and_wait();
    if (seen_by_often != round && seen_by_seldom != round) ++missed;
  }
  other.join();
  EXPECT_EQ(missed, 0);
}

}  // namespace
}  // namespace ringwave::ring
