// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>

#include "ringwave/core/error.hpp"
#include "ringwave/core/queue.hpp"

namespace ringwave {
namespace {

TEST(Graph, KeepsWorkInsteadOfDoingItAndReplaysIt) {
  std::string order;
  Queue queue(Device::cpu());
  const Graph graph = queue.capture([&] {
    queue.submit([&order](NativeQueue) noexcept { order += 'a'; });
    EXPECT_EQ(queue.try_submit([&order](NativeQueue) noexcept { order += 'b'; }), Status::ok);
  });
  queue.synchronize();
  EXPECT_EQ(order, "");
  EXPECT_EQ(graph.nodes(), 2U);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(queue.launch(graph), Status::ok);
  queue.submit([&order](NativeQueue) noexcept { order += '.'; });
  queue.synchronize();
  EXPECT_EQ(order, "ababab.");
}

TEST(Graph, ReadsWhatVariesFromMemoryAtEachReplay) {
  int in = 0;
  int out = 0;
  Queue queue(Device::cpu());
  const Graph graph = queue.capture([&] { queue.copy(&out, &in, sizeof in); });
  for (int i = 1; i <= 3; ++i) {
    in = i;
    EXPECT_EQ(queue.launch(graph), Status::ok);
    queue.synchronize();
    EXPECT_EQ(out, i);
  }
}

TEST(Graph, LaunchSaysBusyWhenTheQueueIsFull) {
  std::atomic<bool> open{false};
  std::atomic<int> ran{0};
  Queue queue(Device::cpu(), {.depth = 1});
  const Graph graph = queue.capture([&] { queue.submit([&ran](NativeQueue) noexcept { ++ran; }); });
  queue.submit([&open](NativeQueue) noexcept { open.wait(false); });
  EXPECT_EQ(queue.launch(graph), Status::busy);
  open = true;
  open.notify_all();
  queue.synchronize();
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(queue.launch(graph), Status::ok);
  queue.synchronize();
  EXPECT_EQ(ran, 1);
}

TEST(Graph, ACaptureIsNotBoundByTheDepth) {
  int ran = 0;
  Queue queue(Device::cpu(), {.depth = 1});
  const Graph graph = queue.capture([&] {
    for (int i = 0; i < 10; ++i) queue.submit([&ran](NativeQueue) noexcept { ++ran; });
  });
  EXPECT_EQ(queue.launch(graph), Status::ok);
  queue.synchronize();
  EXPECT_EQ(ran, 10);
}

TEST(Graph, ACaptureInsideACaptureThrowsAndBothAreOver) {
  int ran = 0;
  Queue queue(Device::cpu());
  EXPECT_THROW((void)queue.capture([&] { (void)queue.capture([] {}); }), InvalidState);
  queue.submit([&ran](NativeQueue) noexcept { ++ran; });
  queue.synchronize();
  EXPECT_EQ(ran, 1);
}

TEST(Graph, AnExceptionInACaptureLeavesTheQueueUsable) {
  int ran = 0;
  Queue queue(Device::cpu());
  const auto failing = [&] {
    queue.submit([&ran](NativeQueue) noexcept { ran += 100; });
    throw std::out_of_range("from the work");
  };
  EXPECT_THROW((void)queue.capture(failing), std::out_of_range);
  queue.submit([&ran](NativeQueue) noexcept { ++ran; });
  const Graph graph = queue.capture([&] { queue.submit([&ran](NativeQueue) noexcept { ran += 10; }); });
  EXPECT_EQ(queue.launch(graph), Status::ok);
  queue.synchronize();
  EXPECT_EQ(ran, 11);
}

TEST(Graph, AnEventCannotBeRecordedIntoACapture) {
  Queue queue(Device::cpu());
  Event event(queue);
  EXPECT_THROW((void)queue.capture([&] { queue.record(event); }), InvalidState);
  EXPECT_TRUE(event.done());
  queue.record(event);
  event.wait();
  EXPECT_TRUE(event.done());
}

TEST(Graph, MayBeMoved) {
  int ran = 0;
  Queue queue(Device::cpu());
  Graph first = queue.capture([&] { queue.submit([&ran](NativeQueue) noexcept { ++ran; }); });
  Graph second(std::move(first));
  first = queue.capture([] {});
  EXPECT_EQ(first.nodes(), 0U);
  EXPECT_EQ(second.nodes(), 1U);
  EXPECT_EQ(queue.launch(second), Status::ok);
  queue.synchronize();
  EXPECT_EQ(ran, 1);
}

}  // namespace
}  // namespace ringwave
