// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/queue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "ringwave/core/error.hpp"
#include "tests/gate.hpp"

namespace ringwave {
namespace {

TEST(Queue, RunsTasksInTheOrderTheyWereSubmitted) {
  std::vector<int> order;
  order.reserve(1000);
  Queue queue(Device::cpu());
  for (int i = 0; i < 1000; ++i) queue.submit([&order, i](NativeQueue) noexcept { order.push_back(i); });
  queue.synchronize();
  ASSERT_EQ(order.size(), 1000U);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(Queue, TrySubmitSaysFullAtItsDepthAndRunsWhatItTook) {
  std::atomic<int> ran{0};
  Gate gate;
  Queue queue(Device::cpu(), {.depth = 3});
  gate.close(queue);  // in flight itself: two places are left
  const Task task = [&ran](NativeQueue) noexcept { ++ran; };
  EXPECT_EQ(queue.try_submit(task), Status::ok);
  EXPECT_EQ(queue.try_submit(task), Status::ok);
  EXPECT_EQ(queue.try_submit(task), Status::busy);
  EXPECT_EQ(ran, 0);
  gate.open();
  queue.synchronize();
  EXPECT_EQ(ran, 2);
  EXPECT_EQ(queue.try_submit(task), Status::ok);
  queue.synchronize();
  EXPECT_EQ(ran, 3);
}

TEST(Queue, SubmitWaitsForAPlaceInsteadOfLosingTheTask) {
  std::atomic<int> ran{0};
  std::atomic<bool> submitted{false};
  Gate gate;
  Queue queue(Device::cpu(), {.depth = 1});
  gate.close(queue);
  std::thread submitter([&] {
    queue.submit([&ran](NativeQueue) noexcept { ++ran; });
    submitted = true;
  });
  for (int look = 0; look < 100; ++look) std::this_thread::yield();
  EXPECT_FALSE(submitted);
  gate.open();
  submitter.join();
  queue.synchronize();
  EXPECT_EQ(ran, 1);
}

TEST(Queue, CopiesAndFillsInOrder) {
  std::array<unsigned char, 64> a{};
  std::array<unsigned char, 64> b{};
  Queue queue(Device::cpu());
  queue.fill(a.data(), std::byte{7}, a.size());
  queue.copy(b.data(), a.data(), b.size());
  queue.fill(a.data(), std::byte{9}, 1);
  queue.synchronize();
  EXPECT_EQ(b.front(), 7);
  EXPECT_EQ(b.back(), 7);
  EXPECT_EQ(a.front(), 9);
  EXPECT_EQ(a.back(), 7);
}

TEST(Queue, DestructionFinishesWhatWasSubmitted) {
  std::atomic<int> ran{0};
  {
    Queue queue(Device::cpu());
    for (int i = 0; i < 50; ++i) queue.submit([&ran](NativeQueue) noexcept { ++ran; });
  }
  EXPECT_EQ(ran, 50);
}

TEST(Queue, AMovedQueueGoesOnWithItsWork) {
  std::atomic<int> ran{0};
  Queue first(Device::cpu());
  first.submit([&ran](NativeQueue) noexcept { ++ran; });
  Queue second(std::move(first));
  second.submit([&ran](NativeQueue) noexcept { ++ran; });
  second = Queue(Device::cpu());
  EXPECT_EQ(ran, 2);
}

TEST(Queue, RefusesAutoAndADepthOutOfRange) {
  EXPECT_THROW(Queue(Device{}), InvalidArgument);
  EXPECT_THROW(Queue(Device::cpu(), {.depth = 0}), InvalidArgument);
  EXPECT_THROW(Queue(Device::cpu(), {.depth = 257}), InvalidArgument);
  EXPECT_EQ(Queue(Device::cpu(), {.depth = 256}).status(), Status::ok);
}

TEST(Event, IsDoneOnceTheWorkBeforeItIs) {
  Gate gate;
  Queue queue(Device::cpu());
  Event event(queue);
  EXPECT_TRUE(event.done()) << "before its first record";
  gate.close(queue);
  queue.record(event);
  EXPECT_FALSE(event.done());
  gate.open();
  event.wait();
  EXPECT_TRUE(event.done());
}

TEST(Event, MeasuresTheTimeBetweenTwoPointsOfAQueue) {
  Queue queue(Device::cpu());
  Event begin(queue);
  Event end(queue);
  EXPECT_THROW((void)end.milliseconds_since(begin), InvalidState);
  queue.record(begin);
  queue.submit([](NativeQueue) noexcept { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
  queue.record(end);
  end.wait();
  EXPECT_GE(end.milliseconds_since(begin), 2.0) << "the sleep lies between them";
  EXPECT_LE(begin.milliseconds_since(end), -2.0);
}

TEST(Event, CannotBeMeasuredWhileItIsPending) {
  Gate gate;
  Queue queue(Device::cpu());
  Event begin(queue);
  Event end(queue);
  queue.record(begin);
  gate.close(queue);
  queue.record(end);
  EXPECT_THROW((void)end.milliseconds_since(begin), InvalidState);
  gate.open();
  end.wait();
  EXPECT_GE(end.milliseconds_since(begin), 0.0);
}

TEST(Event, OneQueueWaitsForAnother) {
  Gate gate;
  std::atomic<int> step{0};
  int seen = -1;
  Queue first(Device::cpu());
  Queue second(Device::cpu());
  Event event(first);
  gate.close(first);
  first.submit([&step](NativeQueue) noexcept { step = 1; });
  first.record(event);
  second.wait_for(event);
  second.submit([&](NativeQueue) noexcept { seen = step; });
  gate.open();
  second.synchronize();
  EXPECT_EQ(seen, 1);
}

TEST(Event, AWaitIsForTheRecordBeforeItNotForALaterOne) {
  Gate before;
  Gate after;
  std::atomic<bool> passed{false};
  Queue first(Device::cpu());
  Queue second(Device::cpu());
  Event event(first);
  before.close(first);
  first.record(event);
  second.wait_for(event);
  second.submit([&](NativeQueue) noexcept { passed = true; });
  after.close(first);
  first.record(event);
  before.open();
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(10);  // or it would hang
  while (!passed && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
  EXPECT_TRUE(passed) << "the first record is reached, the second is not";
  EXPECT_FALSE(event.done());
  after.open();
  second.synchronize();
}

TEST(Event, MayBeDroppedWhileItIsPending) {
  Gate gate;
  std::atomic<bool> passed{false};
  Queue first(Device::cpu());
  Queue second(Device::cpu());
  gate.close(first);
  {
    Event event(first);
    first.record(event);
    second.wait_for(event);
    second.submit([&](NativeQueue) noexcept { passed = true; });
  }
  EXPECT_FALSE(passed);
  gate.open();
  second.synchronize();
  EXPECT_TRUE(passed);
}

}  // namespace
}  // namespace ringwave
