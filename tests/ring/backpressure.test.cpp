// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <thread>
#include <vector>

#include "ringwave/ring/runtime.hpp"
#include "tests/ring/conformance.hpp"
#include "tests/ring/probe.hpp"

/// What a full queue does, by each policy, on every device.
namespace ringwave::ring {
namespace {

using namespace std::chrono_literals;

class RingBackpressure : public Conformance {
 protected:
  /// A kernel that handles nothing yet, and whose inbox has no room: it was sent the numbers below `sent`.
  Kernel full(Backpressure policy) {
    const Kernel kernel = make({.inbox_capacity = 16, .backpressure = policy});
    kernel.launch();
    while (sent < 100 && kernel.send(message(Probe::kTell, sent), 1ms) == Delivery::ok) ++sent;
    refusals = 1;
    EXPECT_EQ(sent, 16);
    return kernel;
  }

  std::int64_t sent = 0;
  std::uint64_t refusals = 0;
};

TEST_P(RingBackpressure, BlockWaitsForRoom) {
  const Kernel kernel = full(Backpressure::block);
  EXPECT_EQ(kernel.send(message(Probe::kTell, sent), 20ms), Delivery::timed_out);
  EXPECT_EQ(kernel.try_send(message(Probe::kTell, 0)), Delivery::full);
  std::thread opener([&] {
    std::this_thread::sleep_for(20ms);
    kernel.activate(kLong);
  });
  EXPECT_EQ(kernel.send(message(Probe::kTell, sent), 5s), Delivery::ok);
  opener.join();
  EXPECT_EQ(told(kernel, static_cast<std::size_t>(sent) + 1), numbers(0, sent + 1));
}

TEST_P(RingBackpressure, RejectSaysFull) {
  const Kernel kernel = full(Backpressure::reject);
  EXPECT_EQ(kernel.send(message(Probe::kTell, 0)), Delivery::full);
  EXPECT_EQ(kernel.telemetry().rejected, refusals + 1);
  EXPECT_EQ(kernel.send(message(Probe::kTell, 7, kHigh)), Delivery::ok) << "another band has its own room";
  std::this_thread::sleep_for(20ms);  // it is in before the first is handled
  kernel.activate(kLong);
  auto expected = numbers(0, sent);
  expected.insert(expected.begin(), 7);
  EXPECT_EQ(told(kernel, expected.size()), expected);
}

TEST_P(RingBackpressure, DropNewestDropsTheNewOne) {
  const Kernel kernel = full(Backpressure::drop_newest);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(kernel.send(message(Probe::kTell, 99)), Delivery::dropped);
  EXPECT_EQ(kernel.telemetry().dropped_newest, refusals + 4);
  kernel.activate(kLong);
  EXPECT_EQ(told(kernel, static_cast<std::size_t>(sent)), numbers(0, sent));
}

TEST_P(RingBackpressure, DropOldestKeepsTheNewestAndNeverAHigherBand) {
  const Kernel kernel = make({.inbox_capacity = 16, .backpressure = Backpressure::drop_oldest});
  kernel.launch();
  for (std::int64_t i = 0; i < 10; ++i)
    ASSERT_EQ(kernel.send(message(Probe::kTell, 500 + i, kHigh)), Delivery::ok);
  constexpr std::int64_t kCount = 100;
  for (std::int64_t i = 0; i < kCount; ++i)
    ASSERT_EQ(kernel.send(message(Probe::kTell, i)), Delivery::ok) << i;
  kernel.activate(kLong);
  ASSERT_TRUE(soon([&] {
    const Telemetry t = kernel.telemetry();
    return t.counts.processed + t.dropped_oldest + t.counts.dropped == 10 + kCount;
  })) << kernel.telemetry().counts.processed
      << " handled, " << kernel.telemetry().dropped_oldest << " dropped";
  const auto all = told(kernel, kernel.telemetry().counts.processed);
  std::vector<std::int64_t> high;
  std::vector<std::int64_t> rest;
  std::ranges::copy_if(all, std::back_inserter(high), [](std::int64_t value) { return value >= 500; });
  std::ranges::copy_if(all, std::back_inserter(rest), [](std::int64_t value) { return value < 500; });
  EXPECT_EQ(high, numbers(500, 510)) << "the higher band is whole";
  EXPECT_EQ(rest, numbers(kCount - 16, kCount));
}

TEST_P(RingBackpressure, ARequestThatIsDroppedIsTold) {
  const Kernel kernel = make({.inbox_capacity = 16, .backpressure = Backpressure::drop_oldest});
  kernel.launch();
  Delivery delivery{};
  const std::int64_t value = 1;
  const std::uint64_t id = kernel.begin_request(message(Probe::kEcho, value), delivery, 10s);
  ASSERT_NE(id, 0U);
  for (std::int64_t i = 0; i < 100; ++i) ASSERT_EQ(kernel.send(message(Probe::kTell, i)), Delivery::ok);
  kernel.activate(kLong);
  Letter reply;
  reply.reserve(4096);
  ASSERT_TRUE(soon([&] { return (delivery = kernel.finish_request(id, reply)) != Delivery::empty; }));
  EXPECT_EQ(delivery, Delivery::dropped) << to_string(delivery);
}

TEST_P(RingBackpressure, AFullOutboxIsCounted) {
  const Kernel kernel = active({.outbox_capacity = 16, .backpressure = Backpressure::reject});
  Letter reply;
  ASSERT_EQ(kernel.request(bare(Probe::kEmitMany, 20), reply, kLong), Delivery::ok);
  EXPECT_EQ(reply.as<std::uint32_t>(), 16U);
  EXPECT_TRUE(soon([&] { return kernel.telemetry().counts.dropped == 4; }));
  Letter letter;
  for (std::uint32_t i = 0; i < 16; ++i) {
    ASSERT_EQ(kernel.receive(letter, kLong), Delivery::ok);
    EXPECT_EQ(letter.as<std::uint32_t>(), i);
  }
  EXPECT_EQ(kernel.try_receive(letter), Delivery::empty);
}

INSTANTIATE_TEST_SUITE_P(OnEveryDevice, RingBackpressure, testing::ValuesIn(places()), place_label);

}  // namespace
}  // namespace ringwave::ring
