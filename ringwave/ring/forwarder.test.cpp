// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/forwarder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "ringwave/ring/kernel_core.hpp"
#include "ringwave/ring/kernel_table.hpp"
#include "ringwave/ring/ring_clock.hpp"
#include "tests/ring/fake_host.hpp"

namespace ringwave::ring {
namespace {

using namespace std::chrono_literals;

class ForwarderTest : public testing::Test {
 protected:
  struct Made {
    std::shared_ptr<KernelCore> core;
    FakeHost* host;
  };

  ForwarderTest() { start_ring_clock(); }

  Made make(std::uint16_t number, Backpressure policy = Backpressure::block) {
    auto host = std::make_unique<FakeHost>(desk_);
    FakeHost* const told = host.get();
    HostRequest request{.spec = {.name = "fake", .inbox_capacity = 16, .backpressure = policy},
                        .number = number,
                        .desk = desk_};
    auto core = std::make_shared<KernelCore>(std::move(request), "fake", std::move(host));
    core->launch();
    table_.set(number, *core);
    return {core, told};
  }

  static MessageHead message(std::uint16_t target, std::uint32_t type, std::uint8_t priority = kNormal) {
    MessageHead head;
    head.type = type;
    head.argument = target;
    head.priority = priority;
    return head;
  }

  void look_until_quiet() {
    while (forwarder_.look()) {
    }
  }

  std::shared_ptr<ReplyDesk> desk_ = std::make_shared<ReplyDesk>(Device::cpu(), 16, 64);
  KernelTable table_;
  Forwarder forwarder_{*desk_, table_};
};

TEST_F(ForwarderTest, BringsAMessageToWhomItIsFor) {
  const Made source = make(1);
  const Made target = make(2);
  forwarder_.add(source.core);
  EXPECT_FALSE(forwarder_.look());
  source.host->far.push_back(message(2, 5));
  const std::int64_t before = ring_now_ns();
  EXPECT_TRUE(forwarder_.look());
  EXPECT_EQ(target.host->sent(), 1U);
  EXPECT_GE(target.host->last.sent_ns, before) << "by the host's clock";
  EXPECT_EQ(target.host->last.type, 5U);
  EXPECT_EQ(target.host->last.argument, 0U) << "the number was for the way";
  EXPECT_EQ(source.core->telemetry().undelivered, 0U);
}

TEST_F(ForwarderTest, WhatHasNoRoomWaitsAndHigherBandsDoNot) {
  const Made source = make(1);
  const Made target = make(2);
  const Made other = make(3);
  forwarder_.add(source.core);
  target.host->is_full = true;
  source.host->far = {message(2, 10), message(2, 11), message(3, 12), message(3, 13, kHigh)};
  look_until_quiet();
  EXPECT_EQ(target.host->sent(), 0U);
  EXPECT_EQ(target.core->telemetry().rejected, 0U) << "nobody was turned away";
  EXPECT_EQ(other.host->sent(), 1U) << "the band behind the one that waits waits, too";
  EXPECT_EQ(other.host->last.type, 13U);
  target.host->is_full = false;
  look_until_quiet();
  EXPECT_EQ(target.host->sent(), 2U);
  EXPECT_EQ(target.host->last.type, 11U) << "in their order";
  EXPECT_EQ(other.host->last.type, 12U);
  EXPECT_EQ(source.core->telemetry().undelivered, 0U);
}

TEST_F(ForwarderTest, WhatFindsNoRoomForTooLongIsLostAndCounted) {
  const Made source = make(1);
  const Made target = make(2);
  forwarder_.add(source.core);
  target.host->is_full = true;
  source.host->far.push_back(message(2, 1));
  const std::int64_t begin = ring_now_ns();
  while (source.core->telemetry().undelivered == 0 && ring_now_ns() - begin < 20'000'000'000)
    (void)forwarder_.look();
  EXPECT_GE(ring_now_ns() - begin, 1'000'000'000) << "a sender waits for a second";
  EXPECT_EQ(source.core->telemetry().undelivered, 1U);
  EXPECT_EQ(target.core->telemetry().rejected, 1U);
}

TEST_F(ForwarderTest, WhoWaitsLearnsThatItCameNowhere) {
  const Made source = make(1);
  const Made target = make(2);
  forwarder_.add(source.core);
  MessageHead lost = message(200, 1);
  lost.correlation = desk_->open();
  lost.flags = MessageHead::kRequest;
  MessageHead late = message(2, 1);
  late.correlation = desk_->open();
  late.flags = MessageHead::kRequest;
  MessageHead torn = message(2, 1);
  torn.bytes = 5000;
  source.host->far = {lost, torn};
  look_until_quiet();
  Letter reply;
  reply.reserve(64);
  ASSERT_TRUE(desk_->look(lost.correlation, reply));
  EXPECT_EQ(static_cast<Delivery>(reply.head.type), Delivery::unknown_target);
  EXPECT_EQ(source.core->telemetry().undelivered, 2U) << "one is longer than its kernel's messages are";
  target.core->terminate(1s);
  source.host->far.push_back(late);
  look_until_quiet();
  ASSERT_TRUE(desk_->look(late.correlation, reply));
  EXPECT_EQ(static_cast<Delivery>(reply.head.type), Delivery::unknown_target) << "it has ended";
  EXPECT_EQ(source.core->telemetry().undelivered, 3U);
}

TEST_F(ForwarderTest, ForgetsAKernelThatHasEndedAndHasNothingLeft) {
  Made source = make(1);
  const Made target = make(2);
  forwarder_.add(source.core);
  target.host->is_full = true;
  source.host->far = {message(2, 1), message(2, 2)};
  source.core->terminate(1s);
  look_until_quiet();
  EXPECT_EQ(target.host->sent(), 0U);
  target.host->is_full = false;
  look_until_quiet();
  EXPECT_EQ(target.host->sent(), 2U) << "what it sent before its end arrives";
  (void)forwarder_.look();
  forwarder_.let_go();
  table_.clear(1);
  const std::weak_ptr<KernelCore> known = source.core;
  source.core.reset();
  EXPECT_TRUE(known.expired());
}

TEST_F(ForwarderTest, ItsThreadBringsWhatComesAndAllThatIsLeftAtTheEnd) {
  const Made source = make(1);
  const Made target = make(2);
  source.host->far = {message(2, 1), message(2, 2), message(2, 3)};
  forwarder_.start();
  forwarder_.start();
  forwarder_.add(source.core);
  for (int i = 0; i < 20'000 && target.host->sent() < 3; ++i) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(target.host->sent(), 3U);
  forwarder_.stop();
  forwarder_.stop();
}

}  // namespace
}  // namespace ringwave::ring
