// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <numeric>
#include <thread>

#include "ringwave/core/error.hpp"
#include "ringwave/ring/runtime.hpp"
#include "tests/ring/device_names.hpp"
#include "tests/ring/probe.hpp"

/// What every host promises, on every device of this machine.
namespace ringwave::ring {
namespace {

using namespace std::chrono_literals;

/// Longer than any machine is held up by others.
constexpr auto kLong = 20s;

class Conformance : public testing::TestWithParam<std::string> {
 protected:
  Conformance() { register_probe(); }

  [[nodiscard]] static Device device() { return Device::find(GetParam()); }

  Kernel make(KernelSpec spec = {}) {
    spec.handler = Probe::kName;
    return runtime.create(std::move(spec));
  }
  Kernel active(KernelSpec spec = {}) {
    const Kernel kernel = make(std::move(spec));
    kernel.launch();
    kernel.activate(kLong);
    return kernel;
  }

  static Outgoing message(Probe::Type type, const std::int64_t& value, std::uint8_t priority = kNormal,
                          std::uint32_t argument = 0) {
    Outgoing outgoing = Outgoing::of(type, value, priority);
    outgoing.head.argument = argument;
    return outgoing;
  }
  static Outgoing bare(Probe::Type type, std::uint32_t argument = 0) {
    Outgoing outgoing;
    outgoing.head.type = type;
    outgoing.head.argument = argument;
    return outgoing;
  }

  /// The values that a kernel emitted, until it has been quiet for a while.
  static std::vector<std::int64_t> told(const Kernel& kernel, std::size_t count) {
    std::vector<std::int64_t> values;
    Letter letter;
    while (values.size() < count && kernel.receive(letter, 5s) == Delivery::ok)
      values.push_back(letter.as<std::int64_t>());
    return values;
  }
  static std::vector<std::int64_t> numbers(std::int64_t first, std::int64_t end) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(end - first));
    std::iota(all.begin(), all.end(), first);
    return all;
  }
  /// Sends 0, 1, … until there is no room for good: a device takes some out of the queue before it handles
  /// them. Returns how many were sent.
  static std::int64_t fill(const Kernel& kernel, std::uint64_t& refusals) {
    std::int64_t sent = 0;
    for (std::int64_t before = -1; before != sent;) {
      before = sent;
      while (sent < 100 && kernel.send(message(Probe::kTell, sent), 1ms) == Delivery::ok) ++sent;
      ++refusals;
      std::this_thread::sleep_for(10ms);
    }
    return sent;
  }
  template <class Condition>
  static bool soon(const Condition& condition) {
    for (int i = 0; i < 5000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(1ms);
    }
    return false;
  }

  Runtime runtime{{.device = Device::find(GetParam())}};
};

TEST_P(Conformance, LivesItsLife) {
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

TEST_P(Conformance, NamesBothStatesOfAWrongStep) {
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

TEST_P(Conformance, AnswersWithTheSamePayload) {
  const Kernel kernel = active({.max_payload_bytes = 4096});
  Letter reply;
  // Around what fits into the cells, and up to the longest.
  for (const std::size_t bytes : {0U, 1U, 3U, 4U, 64U, 79U, 80U, 81U, 128U, 1000U, 4096U}) {
    std::vector<std::byte> payload(bytes);
    for (std::size_t i = 0; i < bytes; ++i) payload[i] = static_cast<std::byte>(i * 7 + bytes);
    Outgoing outgoing = bare(Probe::kEcho);
    outgoing.payload = payload;
    for (int round = 0; round < 40; ++round) {
      ASSERT_EQ(kernel.request(outgoing, reply, kLong), Delivery::ok) << bytes;
      ASSERT_TRUE(std::ranges::equal(reply.payload(), payload)) << bytes;
    }
  }
}

TEST_P(Conformance, KeepsItsState) {
  const Kernel kernel = active();
  Letter reply;
  for (std::int64_t i = 1; i <= 100; ++i) {
    ASSERT_EQ(kernel.request(message(Probe::kAdd, i), reply, kLong), Delivery::ok);
    ASSERT_EQ(reply.as<std::int64_t>(), i * (i + 1) / 2);
  }
}

TEST_P(Conformance, BeginsWithTheStateItWasGiven) {
  KernelSpec spec;
  spec.handler = Probe::kName;
  const KernelScope kernel(runtime.create(spec, Probe{.sum = 1000}));
  Letter reply;
  ASSERT_EQ(kernel->request(message(Probe::kAdd, 1), reply, kLong), Delivery::ok);
  EXPECT_EQ(reply.as<std::int64_t>(), 1001);
}

TEST_P(Conformance, AllLanesWorkOnAMessage) {
  const Kernel kernel = active({.max_payload_bytes = 4096, .threads = 128});
  std::vector<float> samples(1000);
  std::iota(samples.begin(), samples.end(), 0.0F);
  Outgoing outgoing = bare(Probe::kDouble);
  outgoing.payload = std::as_bytes(std::span(samples));
  Letter reply;
  for (int round = 0; round < 20; ++round) {
    ASSERT_EQ(kernel.request(outgoing, reply, kLong), Delivery::ok);
    std::vector<float> out(samples.size());
    ASSERT_EQ(reply.payload().size(), samples.size() * sizeof(float));
    std::memcpy(out.data(), reply.payload().data(), reply.payload().size());
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], 2 * samples[i]) << i;
  }
}

TEST_P(Conformance, KeepsTheOrderInsideABand) {
  const Kernel kernel = active();
  std::thread sender([&] {
    for (std::int64_t i = 0; i < 20000; ++i)
      ASSERT_EQ(kernel.send(message(Probe::kTell, i), 10s), Delivery::ok);
  });
  EXPECT_EQ(told(kernel, 20000), numbers(0, 20000));
  sender.join();
}

TEST_P(Conformance, KeepsTheOrderOfEverySender) {
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

TEST_P(Conformance, TheHigherBandGoesFirst) {
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

TEST_P(Conformance, APausedKernelLosesNothing) {
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

TEST_P(Conformance, BlockWaitsForRoom) {
  const Kernel kernel = make({.inbox_capacity = 16, .backpressure = Backpressure::block});
  kernel.launch();
  std::uint64_t refusals = 0;
  const std::int64_t sent = fill(kernel, refusals);
  EXPECT_GE(sent, 16);
  EXPECT_LT(sent, 64);
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

TEST_P(Conformance, RejectSaysFull) {
  const Kernel kernel = make({.inbox_capacity = 16, .backpressure = Backpressure::reject});
  kernel.launch();
  std::uint64_t refusals = 0;
  const std::int64_t sent = fill(kernel, refusals);
  EXPECT_GE(sent, 16);
  EXPECT_LT(sent, 64);
  EXPECT_EQ(kernel.send(message(Probe::kTell, 0)), Delivery::full);
  EXPECT_EQ(kernel.telemetry().rejected, refusals + 1);
  EXPECT_EQ(kernel.send(message(Probe::kTell, 7, kHigh)), Delivery::ok) << "another band has its own room";
  std::this_thread::sleep_for(20ms);  // it is in before the first is handled
  kernel.activate(kLong);
  auto expected = numbers(0, sent);
  expected.insert(expected.begin(), 7);
  EXPECT_EQ(told(kernel, expected.size()), expected);
}

TEST_P(Conformance, DropNewestDropsTheNewOne) {
  const Kernel kernel = make({.inbox_capacity = 16, .backpressure = Backpressure::drop_newest});
  kernel.launch();
  std::uint64_t refusals = 0;
  const std::int64_t sent = fill(kernel, refusals);
  EXPECT_GE(sent, 16);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(kernel.send(message(Probe::kTell, 99)), Delivery::dropped);
  EXPECT_EQ(kernel.telemetry().dropped_newest, refusals + 4);
  kernel.activate(kLong);
  EXPECT_EQ(told(kernel, static_cast<std::size_t>(sent)), numbers(0, sent));
}

TEST_P(Conformance, DropOldestKeepsTheNewestAndNeverAHigherBand) {
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
  // What had left the queue when the first was dropped may be among them; the newest sixteen are.
  EXPECT_LT(rest.size(), 64U);
  EXPECT_TRUE(std::ranges::is_sorted(rest));
  ASSERT_GE(rest.size(), 16U);
  EXPECT_EQ(std::vector(rest.end() - 16, rest.end()), numbers(kCount - 16, kCount));
}

TEST_P(Conformance, ARequestThatIsDroppedIsTold) {
  const Kernel kernel = make({.inbox_capacity = 16, .backpressure = Backpressure::drop_oldest});
  kernel.launch();
  Delivery delivery{};
  const std::int64_t value = 1;
  const std::uint64_t id = kernel.begin_request(message(Probe::kEcho, value), delivery, 10s);
  ASSERT_NE(id, 0U);
  for (std::int64_t i = 0; i < 100; ++i) ASSERT_EQ(kernel.send(message(Probe::kTell, i)), Delivery::ok);
  kernel.activate(kLong);  // where it had left the queue before it could be dropped it is answered
  Letter reply;
  reply.reserve(4096);
  ASSERT_TRUE(soon([&] { return (delivery = kernel.finish_request(id, reply)) != Delivery::empty; }));
  EXPECT_TRUE(delivery == Delivery::dropped || delivery == Delivery::ok) << to_string(delivery);
}

TEST_P(Conformance, WhatExpiresIsADeadLetter) {
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

TEST_P(Conformance, ARequestThatIsNotHandledInTimeTimesOut) {
  const Kernel kernel = make();
  kernel.launch();
  Letter reply;
  EXPECT_EQ(kernel.request(message(Probe::kEcho, 1), reply, 5ms), Delivery::timed_out);
  kernel.activate(kLong);
  // The slot of the late one is not used while its answer is on the way.
  for (std::int64_t i = 0; i < 100; ++i) {
    ASSERT_EQ(kernel.request(message(Probe::kEcho, i), reply, kLong), Delivery::ok);
    ASSERT_EQ(reply.as<std::int64_t>(), i);
  }
}

TEST_P(Conformance, ADuplicateIsHandledOnce) {
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

TEST_P(Conformance, SaysWhatBecameOfARequest) {
  const Kernel kernel = active();
  Letter reply;
  EXPECT_EQ(kernel.request(bare(Probe::kSilent), reply, kLong), Delivery::unanswered);
  EXPECT_EQ(kernel.request(bare(Probe::kUnknown), reply, kLong), Delivery::unknown_type);
  EXPECT_EQ(kernel.request(bare(static_cast<Probe::Type>(12345)), reply, kLong), Delivery::unknown_type);
  ASSERT_EQ(kernel.request(message(Probe::kTwice, 1), reply, kLong), Delivery::ok);
  Letter letter;
  ASSERT_EQ(kernel.receive(letter, kLong), Delivery::ok);
  EXPECT_EQ(static_cast<Delivery>(letter.head.type), Delivery::duplicate);
  EXPECT_EQ(kernel.state(), State::active);
  EXPECT_TRUE(soon([&] { return kernel.telemetry().counts.errors == 2; }));
}

TEST_P(Conformance, RefusesWhatCannotBe) {
  EXPECT_THROW((void)runtime.create({.handler = "nobody"}), InvalidArgument);
  for (const std::size_t capacity : {std::size_t{0}, std::size_t{8}, std::size_t{100}, std::size_t{1} << 21U})
    EXPECT_THROW((void)make({.inbox_capacity = capacity}), InvalidArgument) << capacity;
  EXPECT_THROW((void)make({.max_payload_bytes = 65537}), InvalidArgument);
  EXPECT_THROW((void)make({.duplicate_window = 5}), InvalidArgument);
  EXPECT_THROW((void)make({.threads = 33}), InvalidArgument);
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

TEST_P(Conformance, AFailureIsSeenAndHasAReason) {
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

TEST_P(Conformance, WhoeverWaitsLearnsOfTheFailure) {
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

TEST_P(Conformance, AccessBeyondThePayloadFailsTheKernel) {
  const Kernel kernel = active();
  Letter reply;
  EXPECT_EQ(kernel.request(bare(Probe::kOverrun), reply, kLong), Delivery::failed);
  ASSERT_TRUE(soon([&] { return kernel.state() == State::failed; }));
  EXPECT_NE(kernel.failure().find("beyond"), std::string::npos) << kernel.failure();
}

TEST_P(Conformance, AnExceptionFailsTheKernel) {
  if (GetParam() != "cpu") GTEST_SKIP() << "there are no exceptions on a device";
  const Kernel kernel = active();
  Letter reply;
  EXPECT_EQ(kernel.request(bare(Probe::kThrow), reply, kLong), Delivery::failed);
  ASSERT_TRUE(soon([&] { return kernel.state() == State::failed; }));
  EXPECT_NE(kernel.failure().find("as it was told to"), std::string::npos) << kernel.failure();
}

TEST_P(Conformance, IsRestartedByItsPolicy) {
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

TEST_P(Conformance, WhatWaitedIsHandledAfterTheRestart) {
  const Kernel kernel = make({.restart = {.most_restarts = 1}});
  kernel.launch();
  ASSERT_EQ(kernel.send(bare(Probe::kFail, 9)), Delivery::ok);
  for (std::int64_t i = 0; i < 100; ++i) ASSERT_EQ(kernel.send(message(Probe::kTell, i)), Delivery::ok);
  kernel.activate(kLong);
  EXPECT_EQ(told(kernel, 100), numbers(0, 100));
}

TEST_P(Conformance, AHandlerThatTakesTooLongHasFailed) {
  const Kernel kernel = active({.handler_limit = 50ms});
  Letter reply;
  EXPECT_EQ(kernel.request(bare(Probe::kUntilStopped), reply, 20s), Delivery::failed);
  ASSERT_TRUE(soon([&] { return kernel.state() == State::failed; }));
  EXPECT_NE(kernel.failure().find("50 ms"), std::string::npos) << kernel.failure();
  kernel.launch();
  kernel.activate(kLong);
  EXPECT_EQ(kernel.request(message(Probe::kEcho, 1), reply, 5s), Delivery::ok);
}

TEST_P(Conformance, KeepsAndRestoresItsState) {
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

TEST_P(Conformance, KernelsSendToOneAnother) {
  const Kernel first = make({.name = "first"});
  const Kernel second = make({.name = "second"});
  const Kernel third = make({.name = "third"});
  first.connect(second);
  first.connect(third);
  for (const Kernel& kernel : {first, second, third}) {
    kernel.launch();
    kernel.activate(kLong);
  }
  for (std::int64_t i = 0; i < 500; ++i) ASSERT_EQ(first.send(message(Probe::kFan, i)), Delivery::ok);
  EXPECT_EQ(told(second, 500), numbers(0, 500));
  EXPECT_EQ(told(third, 500), numbers(0, 500));
  Letter reply;
  for (std::int64_t i = 0; i < 500; ++i) {
    ASSERT_EQ(first.request(message(Probe::kForward, i), reply, kLong), Delivery::ok);
    ASSERT_EQ(reply.as<std::int64_t>(), i);
    ASSERT_EQ(reply.head.source, second.number());
  }
  second.terminate();
  ASSERT_EQ(first.request(message(Probe::kSend, 1, kNormal, second.number()), reply, kLong), Delivery::ok);
  EXPECT_EQ(static_cast<Delivery>(reply.as<std::uint32_t>()), Delivery::unknown_target);
  ASSERT_EQ(first.request(message(Probe::kSend, 1, kNormal, 200), reply, kLong), Delivery::ok);
  EXPECT_EQ(static_cast<Delivery>(reply.as<std::uint32_t>()), Delivery::unknown_target);
}

TEST_P(Conformance, AFullOutboxIsCounted) {
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

TEST_P(Conformance, CountsWhatItDoes) {
  const Kernel kernel = active();
  Letter reply;
  for (std::int64_t i = 0; i < 200; ++i)
    ASSERT_EQ(kernel.request(message(Probe::kNap, i, kNormal, 20), reply, kLong), Delivery::ok);
  ASSERT_TRUE(soon([&] {
    const Telemetry now = kernel.telemetry();
    return now.counts.processed == 200 && now.latency.count == 200;
  }));
  const Telemetry t = kernel.telemetry();
  EXPECT_EQ(t.kernel, "probe");
  EXPECT_EQ(t.state, State::active);
  EXPECT_EQ(t.sent, 200U);
  EXPECT_EQ(t.latency.count, 200U);
  EXPECT_GT(t.latency.min_ns, 0);
  EXPECT_LE(t.latency.min_ns, t.latency.p50_ns);
  EXPECT_LE(t.latency.p50_ns, t.latency.p99_ns);
  EXPECT_LE(t.latency.p99_ns, t.latency.max_ns);
  EXPECT_GE(t.counts.busy_ns, 200U * 20'000U);
  EXPECT_GT(t.counts.polls, 0U);
  EXPECT_GT(t.busy_ratio, 0);
  EXPECT_LE(t.busy_ratio, 1.01);
  kernel.pause(kLong);
  for (std::int64_t i = 0; i < 10; ++i) ASSERT_EQ(kernel.send(message(Probe::kEcho, i)), Delivery::ok);
  EXPECT_EQ(kernel.telemetry().depth[1], 10U);
  kernel.resume(kLong);
  ASSERT_TRUE(soon([&] { return kernel.telemetry().depth[1] == 0; }));
  EXPECT_EQ(kernel.telemetry().peak[1], 10U);
}

TEST_P(Conformance, ManyRequestsAtATimeFindTheirReplies) {
  const Kernel kernel = active();
  constexpr std::int64_t kAtATime = 64;
  Letter reply;
  reply.reserve(4096);
  for (std::int64_t round = 0; round < 50; ++round) {
    std::array<std::uint64_t, kAtATime> ids{};
    Delivery delivery{};
    for (std::int64_t i = 0; i < kAtATime; ++i) {
      const std::int64_t value = round * kAtATime + i;
      ids[static_cast<std::size_t>(i)] = kernel.begin_request(message(Probe::kEcho, value), delivery);
      ASSERT_EQ(delivery, Delivery::ok);
    }
    for (std::int64_t i = kAtATime - 1; i >= 0; --i) {  // the last first: none waits behind another
      while ((delivery = kernel.finish_request(ids[static_cast<std::size_t>(i)], reply)) == Delivery::empty) {
      }
      ASSERT_EQ(delivery, Delivery::ok);
      ASSERT_EQ(reply.as<std::int64_t>(), round * kAtATime + i);
    }
  }
}

TEST_P(Conformance, ARuntimeMayEndBeforeItsKernels) {
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

TEST_P(Conformance, AForkedChildIsToldSo) {
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

INSTANTIATE_TEST_SUITE_P(OnEveryDevice, Conformance, testing::ValuesIn(device_names()), device_label);

}  // namespace
}  // namespace ringwave::ring
