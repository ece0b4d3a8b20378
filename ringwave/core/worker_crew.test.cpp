// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/worker_crew.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(WorkerCrew, DoesEveryPartOnce) {
  for (const int workers : {1, 2, 3, 8}) {
    WorkerCrew crew(workers);
    EXPECT_EQ(crew.workers(), workers);
    for (const std::size_t parts : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{1000}}) {
      std::vector<std::atomic<int>> times(parts);
      crew.run(parts, [&](std::size_t part, int /*worker*/) noexcept { ++times[part]; });
      for (const auto& time : times) EXPECT_EQ(time.load(), 1);
    }
  }
}

TEST(WorkerCrew, WhatAPartWroteIsThereWhenTheJobIsDone) {
  WorkerCrew crew(4);
  std::vector<int> written(64);  // no atomics: the thread sanitizer watches
  for (int job = 1; job <= 2000; ++job) {
    crew.run(written.size(), [&](std::size_t part, int /*worker*/) noexcept { written[part] += job; });
    const int sum = job * (job + 1) / 2;
    for (const int value : written) ASSERT_EQ(value, sum);
  }
}

TEST(WorkerCrew, AWorkerDoesOnePartAtATime) {
  WorkerCrew crew(3);
  std::array<std::atomic<int>, 3> busy{};
  std::atomic<int> most{0};
  crew.run(500, [&](std::size_t /*part*/, int worker) noexcept {
    const int now = ++busy[static_cast<std::size_t>(worker)];
    if (now > most) most = now;
    --busy[static_cast<std::size_t>(worker)];
  });
  EXPECT_EQ(most.load(), 1);
}

TEST(WorkerCrew, EveryWorkerComesAlsoAfterALongPause) {
  WorkerCrew crew(3);
  for (int job = 0; job < 2; ++job) {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));  // they nap
    std::atomic<int> here{0};
    // No part ends before all three have one, which takes three threads.
    crew.run(3, [&](std::size_t /*part*/, int /*worker*/) noexcept {
      ++here;
      while (here.load() < 3) std::this_thread::yield();
    });
    EXPECT_EQ(here.load(), 3);
  }
}

TEST(WorkerCrew, RefusesSizesOutOfRange) {
  EXPECT_THAT([] { WorkerCrew crew(0); }, ThrowsMessage<InvalidArgument>(HasSubstr("a crew of 0 workers")));
  EXPECT_THROW(WorkerCrew(WorkerCrew::kMostWorkers + 1), InvalidArgument);
}

}  // namespace
}  // namespace ringwave
