// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/ring/runtime.hpp"
#include "tests/ring/conformance.hpp"
#include "tests/ring/probe.hpp"

/// The life of a kernel and of its state, on every device.
namespace ringwave::ring {
namespace {

using namespace std::chrono_literals;

class RingLifecycle : public Conformance {};

TEST_P(RingLifecycle, LivesItsLife) {
  const Kernel kernel = make();
  EXPECT_EQ(kernel.state(), State::created);
  kernel.launch();
  EXPECT_EQ(kernel.state(), State::launched);
  kernel.activate(kLong);
  EXPECT_EQ(kernel.state(), State::active);
  kernel.pause(kLong);
  EXPECT_EQ(kernel.state(), State::paused);
  kernel.resume(kLong);
  EXPECT_EQ(kernel.state(), State::active);
  EXPECT_TRUE(kernel.terminate());
  EXPECT_EQ(kernel.state(), State::terminated);
  EXPECT_TRUE(kernel.terminate()) << "a second time";
}

TEST_P(RingLifecycle, NamesBothStatesOfAWrongStep) {
  const Kernel kernel = make();
  try {
    kernel.activate(kLong);
    FAIL() << "a kernel that was not launched was activated";
  } catch (const InvalidState& error) {
    EXPECT_NE(std::string(error.what()).find("created"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("active"), std::string::npos) << error.what();
  }
  EXPECT_THROW(kernel.pause(kLong), InvalidState);
  kernel.launch();
  EXPECT_THROW(kernel.launch(), InvalidState);
  kernel.terminate();
  EXPECT_THROW(kernel.launch(), InvalidState);
  EXPECT_THROW(kernel.activate(kLong), InvalidState);
}

TEST_P(RingLifecycle, RefusesWhatCannotBe) {
  EXPECT_THROW((void)runtime.create({.handler = "nobody"}), InvalidArgument);
  for (const std::size_t capacity : {std::size_t{0}, std::size_t{8}, std::size_t{100}, std::size_t{1} << 21U})
    EXPECT_THROW((void)make({.inbox_capacity = capacity}), InvalidArgument) << capacity;
  EXPECT_THROW((void)make({.max_payload_bytes = 65537}), InvalidArgument);
  EXPECT_THROW((void)make({.duplicate_window = 5}), InvalidArgument);
  EXPECT_THROW((void)make({.threads = 33}), InvalidArgument);
  EXPECT_THROW((void)runtime.create({.handler = Probe::kName, .blocks = 0}), InvalidArgument);
  if (!GetParam().is_cpu()) {
    EXPECT_THROW((void)runtime.create({.handler = Probe::kName, .blocks = 100'000}), InvalidArgument);
  }
  const Kernel kernel = active();
  EXPECT_THROW((void)make(), InvalidArgument) << "the name is taken";
  std::vector<std::byte> payload(193);
  Outgoing outgoing = bare(Probe::kEcho);
  outgoing.payload = payload;
  Letter reply;
  EXPECT_EQ(kernel.request(outgoing, reply, kLong), Delivery::too_large);
  EXPECT_EQ(kernel.send(outgoing), Delivery::too_large);
  const Kernel sleeping = make({.name = "sleeping"});
  EXPECT_EQ(sleeping.send(bare(Probe::kEcho)), Delivery::not_running);
  sleeping.terminate();
  EXPECT_EQ(sleeping.send(bare(Probe::kEcho)), Delivery::not_running);
  EXPECT_EQ(sleeping.request(bare(Probe::kEcho), reply, kLong), Delivery::not_running);
}

TEST_P(RingLifecycle, KeepsItsState) {
  const Kernel kernel = active();
  Letter reply;
  for (std::int64_t i = 1; i <= 100; ++i) {
    ASSERT_EQ(kernel.request(message(Probe::kAdd, i), reply, kLong), Delivery::ok);
    ASSERT_EQ(reply.as<std::int64_t>(), i * (i + 1) / 2);
  }
}

TEST_P(RingLifecycle, BeginsWithTheStateItWasGiven) {
  KernelSpec spec;
  spec.handler = Probe::kName;
  const KernelScope kernel(runtime.create(spec, Probe{.sum = 1000}));
  Letter reply;
  ASSERT_EQ(kernel->request(message(Probe::kAdd, 1), reply, kLong), Delivery::ok);
  EXPECT_EQ(reply.as<std::int64_t>(), 1001);
}

TEST_P(RingLifecycle, KeepsAndRestoresItsState) {
  const Kernel kernel = active();
  Letter reply;
  ASSERT_EQ(kernel.request(message(Probe::kAdd, 41), reply, kLong), Delivery::ok);
  EXPECT_THROW((void)kernel.checkpoint(), InvalidState) << "it runs";
  kernel.pause(kLong);
  auto checkpoint = kernel.checkpoint();
  kernel.resume(kLong);
  ASSERT_EQ(kernel.request(message(Probe::kAdd, 100), reply, kLong), Delivery::ok);
  kernel.pause(kLong);
  kernel.restore(checkpoint);
  kernel.resume(kLong);
  ASSERT_EQ(kernel.request(message(Probe::kAdd, 1), reply, kLong), Delivery::ok);
  EXPECT_EQ(reply.as<std::int64_t>(), 42);
  kernel.pause(kLong);
  EXPECT_THROW(kernel.restore(std::span(checkpoint).first(10)), InvalidArgument);
  checkpoint.back() ^= std::byte{1};
  EXPECT_THROW(kernel.restore(checkpoint), InvalidArgument);
}

TEST_P(RingLifecycle, ARuntimeMayEndBeforeItsKernels) {
  auto own = std::make_unique<Runtime>(Runtime::Spec{.device = device()});
  KernelSpec spec;
  spec.handler = Probe::kName;
  const Kernel kernel = own->create(spec);
  kernel.launch();
  Delivery delivery{};
  const std::int64_t value = 1;
  const std::uint64_t id = kernel.begin_request(message(Probe::kEcho, value), delivery, 30s);
  own.reset();
  Letter reply;
  reply.reserve(4096);
  EXPECT_EQ(kernel.finish_request(id, reply), Delivery::not_running);
  EXPECT_EQ(kernel.state(), State::terminated);
  EXPECT_EQ(kernel.send(message(Probe::kEcho, value)), Delivery::not_running);
  EXPECT_EQ(kernel.telemetry().dropped_at_end, 1U);
}

TEST_P(RingLifecycle, AForkedChildIsToldSo) {
  const Kernel kernel = active();
  const pid_t child = fork();
  if (child == 0) {
    Letter reply;
    const std::int64_t value = 1;
    const bool ok = kernel.request(message(Probe::kEcho, value), reply, kLong) == Delivery::forked &&
                    kernel.send(message(Probe::kEcho, value)) == Delivery::forked && kernel.terminate();
    _exit(ok ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  Letter reply;
  EXPECT_EQ(kernel.request(message(Probe::kEcho, 1), reply, kLong), Delivery::ok) << "the parent goes on";
}

INSTANTIATE_TEST_SUITE_P(OnEveryDevice, RingLifecycle, testing::ValuesIn(places()), place_label);

}  // namespace
}  // namespace ringwave::ring
