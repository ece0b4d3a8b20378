// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/residents.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace ringwave {
namespace {

using namespace std::chrono_literals;

std::vector<std::uintptr_t> released;
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

  Residents residents_;
};

using Things = std::vector<std::uintptr_t>;

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
  std::thread releasing([this] { residents_.release(1, note_slowly); });
  while (!is_releasing) std::this_thread::yield();
  std::atomic<bool> has_arrived{false};
  std::thread arriving([&] {
    residents_.arrive();
    has_arrived = true;
  });
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(has_arrived) << "the release would wait for the kernel, which stays";
  may_go_on = true;
  releasing.join();
  arriving.join();
  EXPECT_EQ(released, Things{1});
  residents_.leave();
}

TEST_F(ResidentsTest, TheSameWhenTheLastOneLeaves) {
  residents_.arrive();
  residents_.release(1, note_slowly);
  std::thread leaving([this] { residents_.leave(); });
  while (!is_releasing) std::this_thread::yield();
  std::atomic<bool> has_arrived{false};
  std::thread arriving([&] {
    residents_.arrive();
    has_arrived = true;
  });
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(has_arrived);
  may_go_on = true;
  leaving.join();
  arriving.join();
  EXPECT_EQ(released, Things{1});
  residents_.leave();
}

}  // namespace
}  // namespace ringwave
