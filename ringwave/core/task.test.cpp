// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/task.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>

namespace ringwave {
namespace {

TEST(Task, RunsWithWhatItCapturedAndTheQueueItIsGiven) {
  int stream = 0;
  NativeQueue seen = nullptr;
  int sum = 0;
  const Task task = [&sum, &seen, a = 3, b = 4](NativeQueue queue) noexcept {
    sum += a * b;
    seen = queue;
  };
  task(&stream);
  task(&stream);
  EXPECT_EQ(sum, 24);
  EXPECT_EQ(seen, &stream);
}

TEST(Task, HoldsCapturesUpToItsFullSize) {
  struct Capture {
    std::array<std::int64_t, 11> numbers;
    std::int64_t* sum;
  };
  static_assert(sizeof(Capture) == Task::kBytes);
  std::int64_t sum = 0;
  Capture capture{{}, &sum};
  std::iota(capture.numbers.begin(), capture.numbers.end(), 1);
  const Task task = [capture](NativeQueue) noexcept {
    for (const std::int64_t number : capture.numbers) *capture.sum += number;
  };
  capture.numbers.fill(0);
  task(nullptr);
  EXPECT_EQ(sum, 66);
}

TEST(Task, ACopyDoesWhatTheOriginalDid) {
  int value = 0;
  Task task = [&value](NativeQueue) noexcept { value = 1; };
  Task copy = task;
  task = [&value](NativeQueue) noexcept { value = 2; };
  copy(nullptr);
  EXPECT_EQ(value, 1);
  copy = task;
  copy(nullptr);
  EXPECT_EQ(value, 2);
}

TEST(Task, AnEmptyTaskDoesNothing) {
  const Task task;
  task(nullptr);
  static_assert(std::is_nothrow_default_constructible_v<Task>);
  static_assert(!std::is_constructible_v<Task, int>);
}

}  // namespace
}  // namespace ringwave
