// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/kernel_core.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "ringwave/ring/kernel_table.hpp"
#include "ringwave/ring/ring_clock.hpp"
#include "tests/ring/fake_host.hpp"

namespace ringwave::ring {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// Replies with how many messages it has had, and with its first target.
struct Tally {
  std::uint32_t count = 100;
  struct Reply {
    std::uint32_t count;
    std::uint32_t target;
  };
  void on_message(Context& context, const Message& message) {
    if (message.type() == 1) context.emit(0, nullptr, 0);
    context.reply(Reply{++count, context.target(0)});
  }
};

class KernelCoreTest : public testing::Test {
 protected:
  KernelCoreTest() {
    start_ring_clock();
    request_.spec.name = "tried";
    request_.handler = handler<Tally>("tally");
    const auto initial = request_.handler.initial();
    request_.state.assign(initial.begin(), initial.end());
    request_.number = 3;
    request_.desk = std::make_shared<ReplyDesk>(Device::cpu(), 16, 64);
    request_.table = std::make_shared<KernelTable>();
  }

  /// A kernel on a host that the test holds.
  std::unique_ptr<KernelCore> made() {
    auto host = std::make_unique<FakeHost>(request_.desk);
    host_ = host.get();
    return std::make_unique<KernelCore>(request_, "fake", std::move(host));
  }
  std::unique_ptr<KernelCore> active() {
    auto core = made();
    core->launch();
    core->activate(1s);
    return core;
  }

  static Tally::Reply ask(KernelCore& core) {
    Letter reply;
    const Delivery delivery = core.request({}, nullptr, reply, ring_deadline_ns(20s));
    EXPECT_EQ(delivery, Delivery::ok) << to_string(delivery);
    EXPECT_EQ(reply.head.source, 3) << "it has kept its number";
    return reply.as<Tally::Reply>();
  }

  HostRequest request_;
  FakeHost* host_ = nullptr;
};

TEST_F(KernelCoreTest, AFailureWithoutAPolicyStays) {
  const auto core = active();
  host_->break_down("a fault");
  core->supervise();
  EXPECT_EQ(core->state(), State::failed);
  EXPECT_EQ(core->failure(), "a fault");
  EXPECT_EQ(host_->starts, 1);
}

TEST_F(KernelCoreTest, ARestartThatThrowsLeavesItFailed) {
  request_.spec.restart.most_restarts = 3;
  const auto core = active();
  MessageHead head;
  ASSERT_EQ(core->begin(head, nullptr, ring_deadline_ns(1h)), Delivery::ok);
  host_->on_start = [] { throw DeviceLost("the device is gone"); };
  host_->break_down("a fault");
  EXPECT_NO_THROW(core->supervise());
  EXPECT_EQ(core->state(), State::failed);
  EXPECT_THAT(core->failure(), HasSubstr("a fault"));
  EXPECT_THAT(core->failure(), HasSubstr("the device is gone"));
  EXPECT_EQ(core->telemetry().restarts, 0U);
  Letter reply;
  EXPECT_EQ(core->finish(head.correlation, reply), Delivery::failed) << "whoever waits learns it";
  EXPECT_EQ(core->send({}, nullptr, 0), Delivery::failed);

  host_->on_start = [] {};
  core->launch();
  core->activate(1s);
  EXPECT_EQ(core->state(), State::active) << "by hand it may be tried again";
}

TEST_F(KernelCoreTest, IsBusyForAShareOfTheTimeSinceItsLastLaunch) {
  request_.spec.restart.most_restarts = 1;
  const auto core = active();
  host_->counted.busy_ns = std::chrono::nanoseconds{10h}.count();
  EXPECT_GT(core->telemetry().busy_ratio, 1.0) << "hours of work in less";
  host_->break_down("a fault");
  core->supervise();
  ASSERT_EQ(core->telemetry().restarts, 1U);
  EXPECT_EQ(core->telemetry().busy_ratio, 0.0) << "nothing was handled since";
  EXPECT_EQ(core->telemetry().counts.busy_ns, host_->counted.busy_ns) << "the counter goes on";
}

TEST_F(KernelCoreTest, GoesOnOnTheCpuWhenItsDeviceIsLost) {
  HostRequest ninth = request_;
  ninth.number = 9;
  const KernelCore target(std::move(ninth), "fake", std::make_unique<FakeHost>(request_.desk));
  const auto core = made();
  core->connect(target);
  core->launch();
  core->activate(1s);
  MessageHead waiting;
  ASSERT_EQ(core->begin(waiting, nullptr, ring_deadline_ns(1h)), Delivery::ok);
  host_->counted.processed = 10;
  EXPECT_EQ(core->device(), "fake");
  host_->lose_device();
  core->supervise();
  EXPECT_EQ(core->state(), State::active);
  EXPECT_EQ(core->device(), "cpu");
  Letter reply;
  EXPECT_EQ(core->finish(waiting.correlation, reply), Delivery::failed) << "it was on the device";
  EXPECT_EQ(ask(*core).count, 101U) << "with its first state";
  EXPECT_EQ(ask(*core).target, 9U);
  ASSERT_TRUE(core->terminate(20s));  // all is counted then
  const Telemetry t = core->telemetry();
  EXPECT_EQ(t.device, "cpu");
  EXPECT_EQ(t.restarts, 1U);
  EXPECT_EQ(t.sent, 3U);
  EXPECT_EQ(t.dropped_at_end, 1U);
  EXPECT_EQ(t.counts.processed, 12U) << "on both";
  EXPECT_THAT(t.last_error, HasSubstr("the device failed"));
  EXPECT_THAT(t.last_error, HasSubstr("on the CPU"));
}

TEST_F(KernelCoreTest, OfWhatALostDeviceHandedOverRequestsHaveFailed) {
  request_.whereabouts = std::make_shared<Whereabouts>(Device::cpu());
  request_.place = Whereabouts::kCpu + 1;
  const auto core = active();
  EXPECT_EQ(request_.whereabouts->of(3), Whereabouts::kCpu + 1);
  MessageHead asked;
  asked.correlation = request_.desk->open();
  asked.flags = MessageHead::kRequest;
  MessageHead told;
  told.type = 7;
  Letter letter;
  for (const bool has_moved : {false, true}) {
    host_->far = {asked, told};
    host_->lose_device();
    if (has_moved) core->supervise();
    ASSERT_TRUE(core->try_take_far(1, letter));
    EXPECT_EQ(letter.head.type, 7U);
    EXPECT_FALSE(core->try_take_far(1, letter));
  }
  EXPECT_EQ(request_.whereabouts->of(3), Whereabouts::kCpu);
  letter.reserve(64);
  ASSERT_TRUE(request_.desk->look(asked.correlation, letter));
  EXPECT_EQ(static_cast<Delivery>(letter.head.type), Delivery::failed);
  core->terminate(20s);
  EXPECT_EQ(request_.whereabouts->of(3), Whereabouts::kNowhere);
}

TEST_F(KernelCoreTest, APausedKernelIsPausedOnTheCpu) {
  const auto core = active();
  core->pause(1s);
  host_->lose_device();
  core->supervise();
  EXPECT_EQ(core->state(), State::paused);
  EXPECT_EQ(core->device(), "cpu");
  MessageHead head;
  ASSERT_EQ(core->begin(head, nullptr, ring_deadline_ns(1h)), Delivery::ok) << "messages queue";
  core->activate(20s);
  EXPECT_EQ(ask(*core).count, 102U);
  Letter reply;
  reply.reserve(64);
  EXPECT_EQ(core->finish(head.correlation, reply), Delivery::ok);
}

TEST_F(KernelCoreTest, StaysFailedWhereItMayNotGoOnElsewhere) {
  request_.spec.fails_over = false;
  const auto core = active();
  host_->lose_device();
  core->supervise();
  EXPECT_EQ(core->state(), State::failed);
  EXPECT_EQ(core->failure(), "the device failed");
  EXPECT_EQ(core->device(), "fake");
  EXPECT_EQ(core->telemetry().restarts, 0U);
}

TEST_F(KernelCoreTest, IsLaunchedOnTheCpuWhereItsDeviceWasLostBefore) {
  const auto core = made();
  host_->on_start = [this] {
    host_->is_lost = true;
    throw DeviceLost("the device failed");
  };
  core->launch();
  core->activate(20s);
  EXPECT_EQ(core->device(), "cpu");
  EXPECT_EQ(ask(*core).count, 101U);
}

TEST_F(KernelCoreTest, AHandlerThatCostTheDeviceIsStartedOnlyByItsPolicy) {
  request_.spec.handler_limit = 1ms;
  for (const int most_restarts : {0, 1}) {
    request_.spec.restart.most_restarts = most_restarts;
    const auto core = active();
    host_->busy_since = 1;
    host_->on_give_up = [this] { host_->is_lost = true; };
    core->supervise();
    EXPECT_EQ(core->state(), most_restarts == 0 ? State::failed : State::active);
    EXPECT_THAT(core->failure(), HasSubstr("1 ms"));
    if (most_restarts == 0) {
      core->launch();  // by hand
      core->activate(20s);
    }
    EXPECT_EQ(core->device(), "cpu");
    EXPECT_EQ(ask(*core).count, 101U);
  }
}

TEST_F(KernelCoreTest, AMessageThatComesToTheLostDeviceIsAnswered) {
  const auto core = active();
  host_->on_send = [&] {  // between the sender's look for the host and the message
    host_->lose_device();
    core->supervise();
  };
  MessageHead head;
  ASSERT_EQ(core->begin(head, nullptr, ring_deadline_ns(1h)), Delivery::ok);
  EXPECT_EQ(core->device(), "cpu");
  core->supervise();
  Letter reply;
  EXPECT_EQ(core->finish(head.correlation, reply), Delivery::failed);
  EXPECT_EQ(core->telemetry().dropped_at_end, 1U);
}

TEST_F(KernelCoreTest, WhatItSaidBeforeItsDeviceWasLostIsReceivedFirst) {
  const auto core = active();
  MessageHead before;
  before.type = 77;
  host_->said.push_back(before);
  host_->lose_device();
  core->supervise();
  MessageHead head;
  head.type = 1;
  ASSERT_EQ(core->send(head, nullptr, ring_deadline_ns(20s)), Delivery::ok);
  Letter letter;
  ASSERT_EQ(core->receive(letter, ring_deadline_ns(20s)), Delivery::ok);
  EXPECT_EQ(letter.head.type, 77U);
  ASSERT_EQ(core->receive(letter, ring_deadline_ns(20s)), Delivery::ok);
  EXPECT_EQ(letter.head.type, 0U);
}

TEST_F(KernelCoreTest, NobodyWaitsInVainWhileTheDeviceIsLost) {
  const auto core = active();
  std::atomic<int> callers{3};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      Letter reply;
      for (int answered = 0; answered < 200;) {
        const Delivery delivery = core->request({}, nullptr, reply, ring_deadline_ns(20s));
        EXPECT_TRUE(delivery == Delivery::ok || delivery == Delivery::failed) << to_string(delivery);
        if (delivery == Delivery::ok) ++answered;
        if (delivery == Delivery::timed_out) break;
      }
      --callers;
    });
  while (host_->sent() < 3) std::this_thread::yield();
  host_->lose_device();
  while (callers > 0) {
    core->supervise();
    std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(core->device(), "cpu");
  EXPECT_EQ(ask(*core).count, 100U + 600U + 1U) << "each was handled once";
}

}  // namespace
}  // namespace ringwave::ring
