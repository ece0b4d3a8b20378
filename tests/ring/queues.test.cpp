// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include "ringwave/ring/runtime.hpp"
#include "tests/ring/conformance.hpp"
#include "tests/ring/probe.hpp"

/// The order of messages, and those that are not handled, on every device.
namespace ringwave::ring {
namespace {

using namespace std::chrono_literals;

class RingQueues : public Conformance {};

TEST_P(RingQueues, KeepsTheOrderInsideABand) {
  const Kernel kernel = active();
  std::thread sender([&] {
    for (std::int64_t i = 0; i < 20000; ++i)
      ASSERT_EQ(kernel.send(message(Probe::kTell, i), 10s), Delivery::ok);
  });
  EXPECT_EQ(told(kernel, 20000), numbers(0, 20000));
  sender.join();
}

TEST_P(RingQueues, KeepsTheOrderOfEverySender) {
  const Kernel kernel = active({.inbox_capacity = 64});
  constexpr std::int64_t kEach = 4000;
  std::vector<std::thread> senders;
  for (std::int64_t sender = 0; sender < 3; ++sender)
    senders.emplace_back([&kernel, sender] {
      for (std::int64_t i = 0; i < kEach; ++i)
        ASSERT_EQ(kernel.send(message(Probe::kTell, sender * 1000000 + i), 10s), Delivery::ok);
    });
  std::map<std::int64_t, std::int64_t> next;
  for (const std::int64_t value : told(kernel, 3 * kEach)) {
    ASSERT_EQ(value % 1000000, next[value / 1000000]) << "of sender " << value / 1000000;
    ++next[value / 1000000];
  }
  for (std::thread& sender : senders) sender.join();
  for (std::int64_t sender = 0; sender < 3; ++sender) EXPECT_EQ(next[sender], kEach);
}

TEST_P(RingQueues, KeepsTheOrderOfALoneSender) {
  const Kernel kernel = active({.inbox_capacity = 64, .one_sender = true});
  std::thread sender([&] {
    for (std::int64_t i = 0; i < 20000; ++i)
      ASSERT_EQ(kernel.send(message(Probe::kTell, i), 10s), Delivery::ok);
  });
  EXPECT_EQ(told(kernel, 20000), numbers(0, 20000));
  sender.join();
}

TEST_P(RingQueues, WhatALoneSenderStillWaitsForIsAnsweredAtTheEnd) {
  for (int round = 0; round < 20; ++round) {
    const Kernel kernel = active({.one_sender = true});
    std::atomic<bool> begun{false};
    std::thread ender([&] {
      while (!begun) std::this_thread::yield();
      kernel.terminate();
    });
    Delivery delivery = Delivery::ok;
    Letter reply;
    while (delivery == Delivery::ok) {
      begun = true;
      delivery = kernel.request(message(Probe::kEcho, round), reply, kLong);
    }
    EXPECT_EQ(delivery, Delivery::not_running) << to_string(delivery);
    ender.join();
  }
}

TEST_P(RingQueues, TheHigherBandGoesFirst) {
  const Kernel kernel = make({.inbox_capacity = 64});
  kernel.launch();
  for (const std::uint8_t priority : {kLow, kNormal, kHigh, kSystem})
    for (std::int64_t i = 0; i < 3; ++i)
      ASSERT_EQ(kernel.send(message(Probe::kTell, 10 * priority + i, priority)), Delivery::ok);
  // All are in before the first is handled.
  std::this_thread::sleep_for(20ms);
  kernel.activate(kLong);
  std::vector<std::int64_t> expected;
  for (const int priority : {kSystem, kHigh, kNormal, kLow})
    for (std::int64_t i = 0; i < 3; ++i) expected.push_back(10 * priority + i);
  EXPECT_EQ(told(kernel, 12), expected);
}

TEST_P(RingQueues, APausedKernelLosesNothing) {
  const Kernel kernel = active({.inbox_capacity = 256});
  constexpr std::int64_t kCount = 5000;
  std::atomic<bool> done{false};
  std::thread sender([&] {
    for (std::int64_t i = 0; i < kCount; ++i)
      ASSERT_EQ(kernel.send(message(Probe::kTell, i), 10s), Delivery::ok);
    done = true;
  });
  std::thread pauser([&] {
    while (!done) {
      kernel.pause(5s);
      std::this_thread::sleep_for(200us);
      kernel.resume(5s);
      std::this_thread::sleep_for(200us);
    }
  });
  EXPECT_EQ(told(kernel, kCount), numbers(0, kCount));
  sender.join();
  pauser.join();
}

TEST_P(RingQueues, WhatExpiresIsADeadLetter) {
  const Kernel kernel = make();
  kernel.launch();
  const std::int64_t five = 5;
  Outgoing late = message(Probe::kTell, five);
  late.head.deadline_ns = ring_deadline_ns(1ms);
  late.head.argument = 77;
  ASSERT_EQ(kernel.send(late), Delivery::ok);
  const std::int64_t value = 6;
  ASSERT_EQ(kernel.send(message(Probe::kTell, value)), Delivery::ok);
  std::this_thread::sleep_for(10ms);
  kernel.activate(kLong);
  EXPECT_EQ(told(kernel, 1), std::vector<std::int64_t>{6});
  Letter letter;
  ASSERT_TRUE(soon([&] { return kernel.receive_dead(letter) == Delivery::ok; }));
  EXPECT_EQ(letter.as<std::int64_t>(), 5);
  EXPECT_EQ(letter.head.argument, 77U);
  EXPECT_EQ(kernel.receive_dead(letter), Delivery::empty);
  EXPECT_TRUE(soon([&] { return kernel.telemetry().counts.expired == 1; }));
}

TEST_P(RingQueues, ADuplicateIsHandledOnce) {
  const Kernel kernel = active({.duplicate_window = 16});
  const std::int64_t one = 1;
  Outgoing outgoing = message(Probe::kTell, one);
  outgoing.head.id = 4711;
  for (int i = 0; i < 3; ++i) ASSERT_EQ(kernel.send(outgoing), Delivery::ok);
  const std::int64_t other = 2;
  for (int i = 0; i < 3; ++i) ASSERT_EQ(kernel.send(message(Probe::kTell, other)), Delivery::ok);
  EXPECT_EQ(told(kernel, 4), (std::vector<std::int64_t>{1, 2, 2, 2}));
  EXPECT_TRUE(soon([&] { return kernel.telemetry().counts.duplicates == 2; }));
  Letter reply;
  Outgoing request = message(Probe::kEcho, one);
  request.head.id = 4711;
  EXPECT_EQ(kernel.request(request, reply, kLong), Delivery::duplicate);
}

INSTANTIATE_TEST_SUITE_P(OnEveryDevice, RingQueues, testing::ValuesIn(places()), place_label);

}  // namespace
}  // namespace ringwave::ring
