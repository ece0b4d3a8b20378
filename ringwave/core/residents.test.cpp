// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/residents.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

namespace ringwave {
namespace {

using namespace std::chrono_literals;

using Things = std::vector<std::uintptr_t>;

Things released;
std::atomic<bool> is_releasing{false};
std::atomic<bool> may_go_on{false};

void note(std::uintptr_t thing) {
  released.push_back(thing);
}
/// As one that waits for the device does.
void note_slowly(std::uintptr_t thing) {
  is_releasing = true;
  while (!may_go_on) std::this_thread::yield();
  note(thing);
}

class ResidentsTest : public testing::Test {
 protected:
  ResidentsTest() {
    released.clear();
    is_releasing = false;
    may_go_on = false;
  }

  /// While another thread does something that releases slowly.
  void expect_arrival_after(const std::function<void()>& work) {
    std::thread working(work);
    while (!is_releasing) std::this_thread::yield();
    std::atomic<bool> has_arrived{false};
    std::thread arriving([&] {
      residents_.arrive();
      has_arrived = true;
    });
    std::this_thread::sleep_for(20ms);
    EXPECT_FALSE(has_arrived) << "the release would wait for the kernel, which stays";
    may_go_on = true;
    working.join();
    arriving.join();
    EXPECT_EQ(released, Things{1});
    residents_.leave();
  }

  Residents residents_;
};

TEST_F(ResidentsTest, WhatIsReleasedWhileOneIsThereWaitsUntilTheLastHasLeft) {
  residents_.release(1, note);
  EXPECT_EQ(released, Things{1}) << "nothing is resident";
  residents_.arrive();
  residents_.arrive();
  residents_.release(2, note);
  residents_.release(3, note);
  residents_.leave();
  EXPECT_EQ(released, Things{1});
  residents_.leave();
  EXPECT_EQ(released, (Things{1, 2, 3}));
}

TEST_F(ResidentsTest, AKernelArrivesWhenWhatIsReleasedNowIsGone) {
  expect_arrival_after([this] { residents_.release(1, note_slowly); });
}

TEST_F(ResidentsTest, AKernelArrivesWhenWhatTheLastOneLeavesBehindIsGone) {
  residents_.arrive();
  residents_.release(1, note_slowly);
  expect_arrival_after([this] { residents_.leave(); });
}

}  // namespace
}  // namespace ringwave
