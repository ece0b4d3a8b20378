// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/kernel_core.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ringwave/ring/kernel_table.hpp"
#include "tests/ring/fake_host.hpp"

namespace ringwave::ring {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class KernelCoreTest : public testing::Test {
 protected:
  KernelCoreTest() {
    start_ring_clock();
    request_.spec.name = "tried";
    request_.handler.name = "none";
    request_.desk = std::make_shared<ReplyDesk>(Device::cpu(), 16, 64);
    request_.table = std::make_shared<KernelTable>();
  }

  /// An active kernel on a host that the test holds.
  std::unique_ptr<KernelCore> active() {
    auto host = std::make_unique<FakeHost>(request_.desk);
    host_ = host.get();
    auto core = std::make_unique<KernelCore>(request_, "fake", std::move(host));
    core->launch();
    core->activate(1s);
    return core;
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

}  // namespace
}  // namespace ringwave::ring
