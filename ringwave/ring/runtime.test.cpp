// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/runtime.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>

#include "ringwave/core/error.hpp"
#include "ringwave/ring/handlers.hpp"
#include "ringwave/ring/kernel_scope.hpp"

namespace ringwave::ring {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Longer than any machine is held up by others.
constexpr std::chrono::seconds kLong{20};

/// Sends to its first target, once more than the argument says, and replies with what became of the last one.
struct Sender {
  static constexpr const char* kName = "runtime-test-sender";
  inline static std::atomic<bool> sends_many{false};
  void on_message(Context& context, const Message& message) {
    if (message.argument() > 0) sends_many.store(true);
    auto delivery = Delivery::ok;
    for (std::uint32_t i = 0; i <= message.argument(); ++i)
      delivery = context.send(context.target(0), 0, message.data(), message.bytes());
    context.reply(static_cast<std::uint32_t>(delivery));
  }
};

/// Does not return as long as it is held, whoever asks it to.
struct Held {
  static constexpr const char* kName = "runtime-test-held";
  inline static std::atomic<bool> is_held{true};
  inline static std::atomic<bool> is_in{false};
  inline static std::atomic<bool> has_returned{false};
  void on_message(Context& /*context*/, const Message& /*message*/) {
    is_in.store(true);
    while (is_held.load()) std::this_thread::sleep_for(1ms);
    has_returned.store(true);
  }
};

class RuntimeTest : public testing::Test {
 protected:
  RuntimeTest() {
    static const bool once = [] {
      Handlers::instance().add(handler<Sender>(Sender::kName));
      Handlers::instance().add(handler<Held>(Held::kName));
      return true;
    }();
    (void)once;
  }

  static Runtime on_cpu() { return Runtime({.device = Device::cpu()}); }
  static void begin(const Kernel& kernel) {
    kernel.launch();
    kernel.activate(kLong);
  }
  static bool soon(const std::atomic<bool>& flag) {
    for (int i = 0; i < 20'000 && !flag.load(); ++i) std::this_thread::sleep_for(1ms);
    return flag.load();
  }
  static Delivery sent_by(const Kernel& sender) {
    Letter reply;
    EXPECT_EQ(sender.request({}, reply, kLong), Delivery::ok);
    return static_cast<Delivery>(reply.as<std::uint32_t>());
  }
};

TEST_F(RuntimeTest, WhatIsSentToAKernelThatHasEndedDoesNotReachItsSuccessor) {
  Runtime runtime = on_cpu();
  const Kernel sender = runtime.create({.handler = Sender::kName});
  const Kernel first = runtime.create({.name = "first", .handler = "echo"});
  sender.connect(first);
  begin(first);
  begin(sender);
  EXPECT_EQ(sent_by(sender), Delivery::ok);
  ASSERT_TRUE(first.terminate(kLong));
  EXPECT_EQ(sent_by(sender), Delivery::unknown_target);
  const Kernel second = runtime.create({.name = "second", .handler = "echo"});
  begin(second);
  EXPECT_EQ(sent_by(sender), Delivery::unknown_target) << "nobody said that it may send to that one";
  EXPECT_EQ(second.telemetry().sent, 0U);
}

TEST_F(RuntimeTest, AKernelIsNotConnectedToOneThatItCannotReach) {
  Runtime runtime = on_cpu();
  Runtime other = on_cpu();
  const Kernel sender = runtime.create({.name = "here", .handler = Sender::kName});
  const Kernel elsewhere = other.create({.name = "there", .handler = "echo"});
  EXPECT_THAT([&] { sender.connect(elsewhere); },
              ThrowsMessage<InvalidArgument>(HasSubstr("'there', which is a kernel of another Runtime")));
  const Kernel gone = runtime.create({.name = "gone", .handler = "echo"});
  gone.terminate();
  EXPECT_THAT([&] { sender.connect(gone); },
              ThrowsMessage<InvalidState>(HasSubstr("'gone', which is terminated")));
}

TEST_F(RuntimeTest, ARequestThatIsOverTakesNothingFromAnother) {
  Runtime runtime({.device = Device::cpu(), .requests = 1});
  const KernelScope kernel(runtime.create({.handler = "echo"}));
  Delivery delivery{};
  const auto finished = [&](std::uint64_t id) {
    Letter fresh;  // one that was never used before
    Delivery what{};
    const auto end = std::chrono::steady_clock::now() + kLong;
    while ((what = kernel->finish_request(id, fresh)) == Delivery::empty &&
           std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
    EXPECT_EQ(fresh.as<int>(), 7) << "a reply is whole";
    return what;
  };
  const int seven = 7;
  const std::uint64_t first = kernel->begin_request(Outgoing::of(0, seven), delivery, kLong);
  EXPECT_EQ(finished(first), Delivery::ok);
  const std::uint64_t second = kernel->begin_request(Outgoing::of(0, seven), delivery, kLong);
  ASSERT_NE(second, 0U);
  Letter letter;
  for (const std::uint64_t id : {first, std::uint64_t{0}, ~std::uint64_t{0}}) {
    EXPECT_EQ(kernel->finish_request(id, letter), Delivery::empty);
    kernel->forget_request(id);
  }
  EXPECT_EQ(kernel->begin_request(Outgoing::of(0, seven), delivery, kLong), 0U);
  EXPECT_EQ(delivery, Delivery::full) << "the only place is the second one's";
  EXPECT_EQ(finished(second), Delivery::ok);
}

TEST_F(RuntimeTest, TheLongestWaitIsNoneThatIsOver) {
  constexpr auto kEver = std::chrono::nanoseconds::max();
  Runtime runtime = on_cpu();
  const Kernel kernel = runtime.create({.handler = "echo"});
  kernel.launch();
  kernel.activate(kEver);
  Letter letter;
  EXPECT_EQ(kernel.request({}, letter, kEver), Delivery::ok);
  EXPECT_EQ(kernel.send({}, kEver), Delivery::ok);
  EXPECT_EQ(kernel.receive(letter, kEver), Delivery::ok);
  kernel.pause(kEver);
  EXPECT_TRUE(kernel.terminate(kEver));
}

TEST_F(RuntimeTest, AKernelThatIsToEndDoesNotWaitForWhoeverWaitsForIt) {
  Runtime runtime = on_cpu();
  Held::is_held.store(true);
  Held::is_in.store(false);
  Held::has_returned.store(false);
  const Kernel kernel = runtime.create({.handler = Held::kName});
  begin(kernel);
  ASSERT_EQ(kernel.send({}), Delivery::ok);
  ASSERT_TRUE(soon(Held::is_in));
  std::atomic<bool> waits{false};
  std::thread pausing([&] {
    waits.store(true);
    EXPECT_THAT([&] { kernel.pause(1h); }, ThrowsMessage<InvalidState>(HasSubstr("terminat")));
  });
  while (!waits.load()) std::this_thread::yield();
  std::this_thread::sleep_for(20ms);  // so that it mostly has the lifecycle
  EXPECT_FALSE(kernel.terminate(10ms)) << "its handler does not return";
  pausing.join();  // or this test does not end
  EXPECT_EQ(kernel.telemetry().counts.errors, 1U);
  EXPECT_THAT(kernel.failure(), HasSubstr("had not returned"));
  Held::is_held.store(false);
  EXPECT_TRUE(soon(Held::has_returned));
}

TEST_F(RuntimeTest, AKernelThatWaitsForRoomAtAnotherEndsWhenItIsToldTo) {
  Runtime runtime = on_cpu();
  const Kernel full =
      runtime.create({.name = "full", .handler = "echo", .inbox_capacity = 16, .outbox_capacity = 16});
  const Kernel sender = runtime.create({.handler = Sender::kName});
  sender.connect(full);
  full.launch();  // it holds: its inbox fills
  begin(sender);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(sent_by(sender), Delivery::ok);
  Sender::sends_many.store(false);
  Outgoing many;
  many.head.argument = 10 * static_cast<std::uint32_t>(kLong.count());  // it waits a second for each
  ASSERT_EQ(sender.send(many), Delivery::ok);
  ASSERT_TRUE(soon(Sender::sends_many)) << "or it ends before it waits for anything";
  EXPECT_TRUE(sender.terminate(kLong));
}

TEST_F(RuntimeTest, ACheckpointSaysWhatItTakes) {
  Runtime runtime = on_cpu();
  const Kernel kernel = runtime.create({.handler = "echo"});
  const auto take = [&] { (void)kernel.checkpoint(); };
  EXPECT_THAT(take, ThrowsMessage<InvalidState>(HasSubstr("while it is created; only one that is launched")));
  begin(kernel);
  EXPECT_THAT(take, ThrowsMessage<InvalidState>(HasSubstr("while it is active; pause it first")));
  kernel.terminate();
  EXPECT_THAT(take, ThrowsMessage<InvalidState>(HasSubstr("while it is terminated; only one")));
}

TEST_F(RuntimeTest, NoBufferIsNoParcel) {
  Runtime runtime = on_cpu();
  const std::shared_ptr<Buffer<float>> none;
  EXPECT_THAT([&] { (void)runtime.wrap(none); }, ThrowsMessage<InvalidArgument>(HasSubstr("no buffer")));
}

}  // namespace
}  // namespace ringwave::ring
