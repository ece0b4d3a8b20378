// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/handover.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace ringwave {
namespace {

struct Counted {
  explicit Counted(int value) : number(value) { ++alive; }
  ~Counted() { --alive; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  int number;
  static inline std::atomic<int> alive{0};
};

TEST(Handover, GivesTheNewestAndTakesTheOldBack) {
  {
    Handover<Counted> handover;
    EXPECT_EQ(handover.take(), nullptr);
    handover.offer(std::make_unique<Counted>(1));
    handover.offer(std::make_unique<Counted>(2));
    EXPECT_TRUE(handover.busy());
    auto taken = handover.take();
    ASSERT_NE(taken, nullptr);
    EXPECT_EQ(taken->number, 2);
    EXPECT_EQ(Counted::alive, 1) << "the one that nobody took is gone";
    handover.give_back(std::move(taken));
    EXPECT_FALSE(handover.busy());
    handover.offer(std::make_unique<Counted>(3));
    EXPECT_EQ(Counted::alive, 1) << "what was given back is gone";
  }
  EXPECT_EQ(Counted::alive, 0);
}

TEST(Handover, AnOfferDuringAChangeIsTakenAfterIt) {
  Handover<Counted> handover;
  auto active = std::make_unique<Counted>(1);
  handover.offer(std::make_unique<Counted>(2));
  auto second = handover.take();
  handover.offer(std::make_unique<Counted>(3));
  handover.give_back(std::move(active));
  EXPECT_TRUE(handover.busy());
  auto third = handover.take();
  ASSERT_NE(third, nullptr) << "without another offer";
  EXPECT_EQ(third->number, 3);
  handover.give_back(std::move(second));
  EXPECT_FALSE(handover.busy());
  EXPECT_EQ(Counted::alive, 3) << "the audio thread frees nothing";
}

TEST(Handover, BetweenTwoThreadsNothingIsLostOrFreedTwice) {
  constexpr int kOffers = 20'000;
  {
    Handover<Counted> handover;
    std::atomic<bool> done{false};
    std::thread audio([&] {
      auto active = std::make_unique<Counted>(0);
      while (!done || handover.busy()) {
        auto next = handover.take();
        if (next == nullptr) continue;
        EXPECT_GT(next->number, active->number);
        std::swap(active, next);
        handover.give_back(std::move(next));
      }
      EXPECT_EQ(active->number, kOffers);
    });
    for (int i = 1; i <= kOffers; ++i) handover.offer(std::make_unique<Counted>(i));
    while (handover.busy()) std::this_thread::yield();
    done = true;
    audio.join();
  }
  EXPECT_EQ(Counted::alive, 0);
}

}  // namespace
}  // namespace ringwave
