// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "ringwave/core/error.hpp"
#include "ringwave/ring/runtime.hpp"
#include "tests/ring/conformance.hpp"
#include "tests/ring/probe.hpp"

/// Handlers that fail, and what follows, on every device.
namespace ringwave::ring {
namespace {

using namespace std::chrono_literals;

class RingFailures : public Conformance {};

TEST_P(RingFailures, AFailureIsSeenAndHasAReason) {
  const Kernel kernel = active();
  Letter reply;
  EXPECT_EQ(kernel.request(bare(Probe::kFail, 42), reply, kLong), Delivery::failed);
  ASSERT_TRUE(soon([&] { return kernel.state() == State::failed; }));
  EXPECT_NE(kernel.failure().find("42"), std::string::npos) << kernel.failure();
  EXPECT_EQ(kernel.send(bare(Probe::kEcho)), Delivery::failed);
  EXPECT_THROW(kernel.activate(kLong), InvalidState);
  kernel.launch();
  kernel.activate(kLong);
  ASSERT_EQ(kernel.request(message(Probe::kAdd, 3), reply, kLong), Delivery::ok);
  EXPECT_EQ(reply.as<std::int64_t>(), 3) << "with fresh state";
}

TEST_P(RingFailures, WhoeverWaitsLearnsOfTheFailure) {
  const Kernel kernel = make();
  kernel.launch();
  Delivery delivery{};
  const std::int64_t value = 1;
  const std::uint64_t failing = kernel.begin_request(bare(Probe::kFail, 1), delivery, 30s);
  const std::uint64_t behind = kernel.begin_request(message(Probe::kEcho, value), delivery, 30s);
  kernel.activate(kLong);
  Letter reply;
  reply.reserve(4096);
  for (const std::uint64_t id : {failing, behind}) {
    ASSERT_TRUE(soon([&] { return (delivery = kernel.finish_request(id, reply)) != Delivery::empty; }));
    EXPECT_EQ(delivery, Delivery::failed);
  }
}

TEST_P(RingFailures, AccessBeyondThePayloadFailsTheKernel) {
  const Kernel kernel = active();
  Letter reply;
  EXPECT_EQ(kernel.request(bare(Probe::kOverrun), reply, kLong), Delivery::failed);
  ASSERT_TRUE(soon([&] { return kernel.state() == State::failed; }));
  EXPECT_NE(kernel.failure().find("beyond"), std::string::npos) << kernel.failure();
}

TEST_P(RingFailures, OneLaneIsEnough) {
  const Kernel kernel = active({.threads = 64});
  Letter reply;
  EXPECT_EQ(kernel.request(bare(Probe::kRefuseOne), reply, kLong), Delivery::unknown_type);
  ASSERT_EQ(kernel.request(message(Probe::kEcho, 1), reply, kLong), Delivery::ok) << "it goes on";
  EXPECT_EQ(kernel.request(bare(Probe::kRefuseOne), reply, kLong), Delivery::unknown_type);
  EXPECT_EQ(kernel.request(bare(Probe::kFailOne, 43), reply, kLong), Delivery::failed);
  ASSERT_TRUE(soon([&] { return kernel.state() == State::failed; }));
  EXPECT_NE(kernel.failure().find("43"), std::string::npos) << kernel.failure();
  kernel.launch();
  kernel.activate(kLong);
  EXPECT_EQ(kernel.request(message(Probe::kOverrunOne, 1), reply, kLong), Delivery::failed);
  ASSERT_TRUE(soon([&] { return kernel.state() == State::failed; }));
  EXPECT_NE(kernel.failure().find("beyond"), std::string::npos) << kernel.failure();
}

TEST_P(RingFailures, AnExceptionFailsTheKernel) {
  if (!GetParam().is_cpu()) GTEST_SKIP() << "there are no exceptions on a device";
  const Kernel kernel = active();
  Letter reply;
  EXPECT_EQ(kernel.request(bare(Probe::kThrow), reply, kLong), Delivery::failed);
  ASSERT_TRUE(soon([&] { return kernel.state() == State::failed; }));
  EXPECT_NE(kernel.failure().find("as it was told to"), std::string::npos) << kernel.failure();
}

TEST_P(RingFailures, IsRestartedByItsPolicy) {
  const Kernel kernel = active({.restart = {.most_restarts = 2, .window = std::chrono::minutes{10}}});
  Letter reply;
  for (std::uint64_t restart = 1; restart <= 2; ++restart) {
    ASSERT_EQ(kernel.request(message(Probe::kAdd, 5), reply, kLong), Delivery::ok);
    EXPECT_EQ(reply.as<std::int64_t>(), 5) << "fresh state";
    EXPECT_EQ(kernel.request(bare(Probe::kFail, 9), reply, kLong), Delivery::failed);
    ASSERT_TRUE(
        soon([&] { return kernel.telemetry().restarts == restart && kernel.state() == State::active; }));
  }
  EXPECT_EQ(kernel.request(bare(Probe::kFail, 9), reply, kLong), Delivery::failed);
  ASSERT_TRUE(soon([&] { return kernel.state() == State::failed; })) << "the third is one too many";
  EXPECT_EQ(kernel.telemetry().restarts, 2U);
}

TEST_P(RingFailures, WhatWaitedIsHandledAfterTheRestart) {
  const Kernel kernel = make({.restart = {.most_restarts = 1}});
  kernel.launch();
  ASSERT_EQ(kernel.send(bare(Probe::kFail, 9)), Delivery::ok);
  for (std::int64_t i = 0; i < 100; ++i) ASSERT_EQ(kernel.send(message(Probe::kTell, i)), Delivery::ok);
  kernel.activate(kLong);
  EXPECT_EQ(told(kernel, 100), numbers(0, 100));
}

TEST_P(RingFailures, AHandlerThatTakesTooLongHasFailed) {
  const Kernel kernel = active({.handler_limit = 50ms});
  Letter reply;
  EXPECT_EQ(kernel.request(bare(Probe::kUntilStopped), reply, 20s), Delivery::failed);
  ASSERT_TRUE(soon([&] { return kernel.state() == State::failed; }));
  EXPECT_NE(kernel.failure().find("50 ms"), std::string::npos) << kernel.failure();
  kernel.launch();
  kernel.activate(kLong);
  EXPECT_EQ(kernel.request(message(Probe::kEcho, 1), reply, 5s), Delivery::ok);
}

INSTANTIATE_TEST_SUITE_P(OnEveryDevice, RingFailures, testing::ValuesIn(places()), place_label);

}  // namespace
}  // namespace ringwave::ring
