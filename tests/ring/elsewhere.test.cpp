// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>

#include "tests/ring/conformance.hpp"

namespace ringwave::ring {
namespace {

using namespace std::chrono_literals;

/// What kernels promise that send to others on the CPU, wherever they are themselves, or on another GPU.
class RingElsewhere : public Conformance {
 protected:
  static KernelSpec there_as(const std::string& name) {
    return {.name = name, .device = Device::find(GetParam().there)};
  }

  Kernel make_there(KernelSpec spec) {
    spec.handler = Probe::kName;
    return runtime.create(std::move(spec));
  }

  /// One here and one there that it is connected to, both active.
  std::pair<Kernel, Kernel> pair(KernelSpec here = {.name = "here"}, KernelSpec there = there_as("there")) {
    const Kernel first = make(std::move(here));
    const Kernel second = make_there(std::move(there));
    first.connect(second);
    for (const Kernel& kernel : {second, first}) {
      kernel.launch();
      kernel.activate(kLong);
    }
    return {first, second};
  }
};

TEST_P(RingElsewhere, WhatIsSentArrivesInItsOrder) {
  const auto [first, second] = pair();
  constexpr std::int64_t kCount = 2000;
  for (std::int64_t i = 0; i < kCount; ++i) ASSERT_EQ(first.send(message(Probe::kFan, i)), Delivery::ok);
  EXPECT_EQ(told(second, kCount), numbers(0, kCount));
  EXPECT_EQ(first.telemetry().undelivered, 0U);
}

TEST_P(RingElsewhere, ARequestGoesThereAndBackAndIsAnsweredFromTheLast) {
  const Kernel first = make({.name = "first"});
  const Kernel second = make_there(there_as("second"));
  const Kernel third = make({.name = "third"});
  first.connect(second);
  second.connect(third);
  for (const Kernel& kernel : {third, second, first}) {
    kernel.launch();
    kernel.activate(kLong);
  }
  Letter reply;
  for (std::int64_t i = 0; i < 300; ++i) {
    ASSERT_EQ(first.request(message(Probe::kRelay, i), reply, kLong), Delivery::ok);
    ASSERT_EQ(reply.as<std::int64_t>(), i);
    ASSERT_EQ(reply.head.source, third.number());
  }
}

TEST_P(RingElsewhere, ALongPayloadIsWhole) {
  KernelSpec here{.name = "here", .max_payload_bytes = 4000};
  KernelSpec there = there_as("there");
  there.max_payload_bytes = 4000;
  const auto [first, second] = pair(here, there);
  std::array<std::uint32_t, 1000> words{};
  Letter reply;
  for (std::uint32_t round = 0; round < 100; ++round) {
    for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = 1000 * round + i;
    Outgoing outgoing;
    outgoing.head.type = Probe::kForward;
    outgoing.payload = std::as_bytes(std::span(words));
    ASSERT_EQ(first.request(outgoing, reply, kLong), Delivery::ok);
    ASSERT_EQ(reply.payload().size(), sizeof words);
    ASSERT_EQ(std::memcmp(reply.payload().data(), words.data(), sizeof words), 0);
  }
}

TEST_P(RingElsewhere, AHighMessageDoesNotWaitBehindLowOnesWithoutRoom) {
  KernelSpec there = there_as("there");
  there.inbox_capacity = 16;
  const auto [first, second] = pair({.name = "here"}, there);
  second.pause(kLong);
  constexpr std::int64_t kLowOnes = 40;  // more than the inbox holds
  std::thread sender([&, &first = first] {
    // A kernel on the CPU waits where it is; one on a GPU hands them over.
    for (std::int64_t i = 0; i < kLowOnes; ++i) (void)first.send(message(Probe::kFan, i, kLow), kLong);
  });
  const bool is_cpu = GetParam().is_cpu();
  ASSERT_TRUE(soon([&, &second = second] { return second.telemetry().depth[0] == 16; }));
  if (!is_cpu) {
    sender.join();
    ASSERT_EQ(first.send(message(Probe::kFan, 100, kHigh)), Delivery::ok);
    ASSERT_TRUE(soon([&, &second = second] { return second.telemetry().depth[2] == 1; }));
  }
  second.resume(kLong);
  std::vector<std::int64_t> expected = numbers(0, kLowOnes);
  if (!is_cpu) expected.insert(expected.begin(), 100);
  EXPECT_EQ(told(second, expected.size()), expected);
  EXPECT_EQ(first.telemetry().undelivered, 0U);
  if (sender.joinable()) sender.join();
}

TEST_P(RingElsewhere, WhatTheTargetDoesNotTakeIsToldAndCounted) {
  KernelSpec there = there_as("there");
  there.inbox_capacity = 16;
  there.max_payload_bytes = 64;
  there.backpressure = Backpressure::reject;
  const auto [first, second] = pair({.name = "here"}, there);
  second.pause(kLong);
  for (int i = 0; i < 16; ++i) ASSERT_EQ(second.send(bare(Probe::kSilent)), Delivery::ok);
  // On the CPU the sender itself learns it, and has not answered.
  const bool is_cpu = GetParam().is_cpu();
  Letter reply;
  EXPECT_EQ(first.request(message(Probe::kForward, 1), reply, kLong),
            is_cpu ? Delivery::unanswered : Delivery::full);
  second.resume(kLong);
  std::array<std::byte, 80> large{};
  Outgoing outgoing;
  outgoing.head.type = Probe::kForward;
  outgoing.payload = large;
  EXPECT_EQ(first.request(outgoing, reply, kLong), is_cpu ? Delivery::unanswered : Delivery::too_large);
  EXPECT_EQ(first.telemetry().undelivered, is_cpu ? 0U : 2U);
  second.terminate();
  ASSERT_EQ(first.request(message(Probe::kSend, 1, kNormal, second.number()), reply, kLong), Delivery::ok);
  EXPECT_EQ(static_cast<Delivery>(reply.as<std::uint32_t>()), Delivery::unknown_target) << "at once";
}

TEST_P(RingElsewhere, WhatWasHandedOverBeforeAFailureArrives) {
  KernelSpec here{.name = "here"};
  here.restart.most_restarts = 100;
  const auto [first, second] = pair(here);
  std::int64_t next = 0;
  for (int life = 0; life < 20; ++life) {
    for (int i = 0; i < 7; ++i) ASSERT_EQ(first.send(message(Probe::kFan, next++)), Delivery::ok);
    ASSERT_EQ(first.send(bare(Probe::kFail, 1)), Delivery::ok);
  }
  EXPECT_EQ(told(second, static_cast<std::size_t>(next)), numbers(0, next));
  EXPECT_EQ(first.telemetry().undelivered, 0U);
}

TEST_P(RingElsewhere, AKernelMayEndWhileOthersSendToIt) {
  const Kernel first = make({.name = "first"});
  first.launch();
  first.activate(kLong);
  Letter reply;
  std::int64_t arrived = 0;
  for (int life = 0; life < 20; ++life) {
    const Kernel second = make_there(there_as("life " + std::to_string(life)));
    second.launch();
    second.activate(kLong);
    for (std::int64_t i = 0; i < 50; ++i)
      ASSERT_EQ(first.send(message(Probe::kSend, i, kNormal, second.number())), Delivery::ok);
    Letter letter;
    if (second.receive(letter, kLong) == Delivery::ok) ++arrived;
    ASSERT_TRUE(second.terminate());
    ASSERT_EQ(first.request(message(Probe::kEcho, 1), reply, kLong), Delivery::ok);
  }
  EXPECT_EQ(arrived, 20);
}

INSTANTIATE_TEST_SUITE_P(OnEveryDevice, RingElsewhere, testing::ValuesIn(places()), place_label);
INSTANTIATE_TEST_SUITE_P(FromGpuToGpu, RingElsewhere, testing::ValuesIn(places_of_two()), place_label);

}  // namespace
}  // namespace ringwave::ring
