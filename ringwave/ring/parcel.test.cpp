// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/parcel.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "ringwave/core/buffer.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/ring/handlers.hpp"
#include "ringwave/ring/kernel_core.hpp"
#include "ringwave/ring/runtime.hpp"
#include "tests/ring/fake_host.hpp"

namespace ringwave::ring {
namespace {

using namespace std::chrono_literals;

/// Adds what it is shown, after handing it on to its targets.
struct Adder {
  enum Type : std::uint32_t { kAdd, kForward, kThrow };

  void on_message(Context& context, const Message& message) {
    if (message.type() == kThrow) throw std::runtime_error("as it was told to");
    if (message.type() == kForward) {
      context.forward(context.target(0), kAdd, message.data(), message.bytes());
      return;
    }
    auto values = message.view<float>();
    float sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[i];
    context.reply(sum);
  }
};

class ParcelTest : public testing::Test {
 protected:
  static constexpr std::size_t kSize = 100'000;  // 400 kB: more than a message may carry

  ParcelTest() {
    static const bool once = [] {
      Handlers::instance().add(handler<Adder>("adder"));
      return true;
    }();
    (void)once;
    buffer_->fill(1.0F);
    buffer_seen_ = buffer_;
  }

  Kernel launched(KernelSpec spec = {}) {
    spec.handler = "adder";
    const Kernel kernel = runtime_->create(std::move(spec));
    kernel.launch();
    return kernel;
  }
  template <class Condition>
  static bool soon(const Condition& condition) {
    for (int i = 0; i < 20'000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(1ms);
    }
    return false;
  }

  std::unique_ptr<Runtime> runtime_ = std::make_unique<Runtime>(Runtime::Spec{.device = Device::cpu()});
  std::shared_ptr<Buffer<float>> buffer_ = std::make_shared<Buffer<float>>(Device::cpu(), kSize);
  std::weak_ptr<Buffer<float>> buffer_seen_;
};

TEST_F(ParcelTest, AHandlerSeesTheMemoryItself) {
  const Kernel kernel = launched();
  kernel.activate(20s);
  const Parcel parcel = runtime_->wrap(buffer_);
  EXPECT_EQ(parcel.bytes().size(), kSize * sizeof(float));
  Letter reply;
  for (int round = 1; round <= 3; ++round) {
    ASSERT_TRUE(soon([&] { return parcel.messages() == 0; })) << "it may be written again";
    buffer_->fill(static_cast<float>(round));
    ASSERT_EQ(kernel.request(Outgoing::of(Adder::kAdd, parcel), reply, 20s), Delivery::ok);
    EXPECT_EQ(reply.as<float>(), static_cast<float>(round) * kSize);
  }
}

TEST_F(ParcelTest, AMessageKeepsTheMemoryUntilItIsHandled) {
  const Kernel kernel = launched();
  {
    const Parcel parcel = runtime_->wrap(buffer_);
    buffer_.reset();
    EXPECT_EQ(parcel.messages(), 0U);
    for (std::uint32_t sent = 1; sent <= 3; ++sent) {
      ASSERT_EQ(kernel.send(Outgoing::of(Adder::kAdd, parcel)), Delivery::ok);
      EXPECT_EQ(parcel.messages(), sent);
    }
  }
  std::this_thread::sleep_for(10ms);
  EXPECT_FALSE(buffer_seen_.expired()) << "three messages wait";
  kernel.activate(20s);
  EXPECT_TRUE(soon([&] { return buffer_seen_.expired(); }));
  EXPECT_EQ(kernel.telemetry().counts.processed, 3U);
}

TEST_F(ParcelTest, CopiesOfTheHandleHoldIt) {
  Parcel first = runtime_->wrap(buffer_);
  buffer_.reset();
  Parcel second = first;
  const Parcel third = std::move(first);
  EXPECT_EQ(first.bytes().size(), 0U) << "an empty one refers to nothing";
  second = third;
  EXPECT_EQ(third.bytes().data(), second.bytes().data());
  std::this_thread::sleep_for(10ms);
  EXPECT_FALSE(buffer_seen_.expired());
}

TEST_F(ParcelTest, WhatIsNotHandledLetsGo) {
  const Parcel parcel = runtime_->wrap(buffer_);
  const Outgoing message = Outgoing::of(Adder::kAdd, parcel);
  for (const Backpressure policy :
       {Backpressure::block, Backpressure::reject, Backpressure::drop_oldest, Backpressure::drop_newest}) {
    const Kernel kernel =
        launched({.name = std::string(to_string(policy)), .inbox_capacity = 16, .backpressure = policy});
    for (int i = 0; i < 20; ++i) (void)kernel.try_send(message);
    EXPECT_EQ(parcel.messages(), 16U) << to_string(policy);
    EXPECT_TRUE(kernel.terminate(20s));
    EXPECT_EQ(parcel.messages(), 0U) << to_string(policy);
    EXPECT_EQ(kernel.try_send(message), Delivery::not_running);
    EXPECT_EQ(parcel.messages(), 0U) << to_string(policy);
  }
}

TEST_F(ParcelTest, AnExpiredOneIsADeadLetterWithoutAPayload) {
  const Kernel kernel = launched();
  const Parcel parcel = runtime_->wrap(buffer_);
  Outgoing message = Outgoing::of(Adder::kAdd, parcel);
  message.head.deadline_ns = 1;
  message.head.argument = 77;
  ASSERT_EQ(kernel.send(message), Delivery::ok);
  kernel.activate(20s);
  Letter letter;
  ASSERT_TRUE(soon([&] { return kernel.receive_dead(letter) == Delivery::ok; }));
  EXPECT_EQ(letter.head.argument, 77U);
  EXPECT_TRUE(letter.payload().empty());
  EXPECT_TRUE(soon([&] { return parcel.messages() == 0; }));
}

TEST_F(ParcelTest, ADuplicateAndAFailureLetGo) {
  const Kernel kernel = launched({.duplicate_window = 16, .restart = {.most_restarts = 1}});
  kernel.activate(20s);
  const Parcel parcel = runtime_->wrap(buffer_);
  Letter reply;
  Outgoing message = Outgoing::of(Adder::kAdd, parcel);
  message.head.id = 4711;
  EXPECT_EQ(kernel.request(message, reply, 20s), Delivery::ok);
  EXPECT_EQ(kernel.request(message, reply, 20s), Delivery::duplicate);
  EXPECT_EQ(kernel.request(Outgoing::of(Adder::kThrow, parcel), reply, 20s), Delivery::failed);
  EXPECT_TRUE(soon([&] { return parcel.messages() == 0; }));
}

TEST_F(ParcelTest, AKernelHandsItOnWithoutACopy) {
  const Kernel second = launched({.name = "second"});
  const Kernel first = runtime_->create({.name = "first", .handler = "adder"});
  first.connect(second);
  first.launch();
  for (const Kernel& kernel : {first, second}) kernel.activate(20s);
  const Parcel parcel = runtime_->wrap(buffer_);
  Letter reply;
  ASSERT_EQ(first.request(Outgoing::of(Adder::kForward, parcel), reply, 20s), Delivery::ok);
  EXPECT_EQ(reply.as<float>(), static_cast<float>(kSize));
  EXPECT_EQ(reply.head.source, second.number());
  EXPECT_TRUE(soon([&] { return parcel.messages() == 0; }));
}

TEST_F(ParcelTest, MayOutliveTheRuntime) {
  {
    const Parcel parcel = runtime_->wrap(buffer_);
    const Kernel kernel = launched();
    ASSERT_EQ(kernel.send(Outgoing::of(Adder::kAdd, parcel)), Delivery::ok);
    runtime_.reset();
    EXPECT_EQ(parcel.messages(), 0U);
    buffer_.reset();
    EXPECT_FALSE(buffer_seen_.expired());
  }
  EXPECT_TRUE(buffer_seen_.expired()) << "there is nobody else to free it";
}

TEST_F(ParcelTest, ManyThreadsLetGoOfItOnce) {
  const Kernel kernel = launched({.inbox_capacity = 16, .backpressure = Backpressure::drop_oldest});
  kernel.activate(20s);
  auto parcel = std::make_unique<Parcel>(runtime_->wrap(buffer_));
  buffer_.reset();
  std::vector<std::thread> senders;
  for (int i = 0; i < 3; ++i)
    senders.emplace_back([&kernel, mine = *parcel] {
      for (int sent = 0; sent < 300; ++sent) (void)kernel.try_send(Outgoing::of(Adder::kAdd, mine));
    });
  parcel.reset();
  for (std::thread& sender : senders) sender.join();
  senders.clear();  // with their handles
  EXPECT_TRUE(soon([&] { return buffer_seen_.expired(); }));
}

TEST_F(ParcelTest, RefusesWhatCannotBe) {
  const std::span<const std::byte> bytes = std::as_bytes(buffer_->overwrite_host());
  EXPECT_THROW((void)runtime_->wrap(buffer_, bytes.subspan(4)), InvalidArgument);
  EXPECT_THROW((void)runtime_->wrap(buffer_, std::span(bytes.data(), std::size_t{1} << 32U)),
               InvalidArgument);
  const Kernel small = launched({.max_payload_bytes = 16});
  EXPECT_EQ(small.send(Outgoing::of(Adder::kAdd, runtime_->wrap(buffer_))), Delivery::too_large)
      << "not even the reference fits";
}

TEST_F(ParcelTest, TravelsInsideWhereTheHostTakesNoReferences) {
  HostRequest request;
  request.spec.max_payload_bytes = 64;
  request.desk = std::make_shared<ReplyDesk>(Device::cpu(), 16, 64);
  auto made = std::make_unique<FakeHost>(request.desk);
  const FakeHost& host = *made;
  KernelCore core(request, "fake", std::move(made));
  core.launch();
  MessageHead head;
  head.flags = MessageHead::kByReference;
  head.bytes = sizeof(BufferReference);
  const std::span<const std::byte> bytes = std::as_bytes(buffer_->overwrite_host());
  const Parcel few = runtime_->wrap(buffer_, bytes.first(64));
  ASSERT_EQ(core.send(head, &few.reference(), 0), Delivery::ok);
  EXPECT_EQ(host.last.bytes, 64U);
  EXPECT_EQ(host.last.flags, 0U);
  EXPECT_EQ(few.messages(), 0U);
  const Parcel many = runtime_->wrap(buffer_);
  EXPECT_EQ(core.send(head, &many.reference(), 0), Delivery::too_large);
}

}  // namespace
}  // namespace ringwave::ring
