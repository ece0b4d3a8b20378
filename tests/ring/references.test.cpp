// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "ringwave/core/buffer.hpp"
#include "ringwave/ring/runtime.hpp"
#include "tests/ring/conformance.hpp"
#include "tests/ring/probe.hpp"

/// Messages that refer to a buffer, and who holds it until when, on every device.
namespace ringwave::ring {
namespace {

using namespace std::chrono_literals;

class RingReferences : public Conformance {
 protected:
  using Numbers = Buffer<std::int64_t>;
  static constexpr std::size_t kMany = 100'000;  // 800 kB: more than a message may carry

  /// The numbers from `first` on.
  static std::shared_ptr<Numbers> buffer_of(std::size_t size, std::int64_t first = 0,
                                            HostMemory memory = HostMemory::pinned) {
    auto buffer = std::make_shared<Numbers>(device(), size, memory);
    fill(*buffer, first);
    return buffer;
  }
  static void fill(Numbers& buffer, std::int64_t first) {
    const auto values = buffer.overwrite_host();
    std::iota(values.begin(), values.end(), first);
  }
  static std::int64_t sum_of(std::size_t size, std::int64_t first) {
    const auto count = static_cast<std::int64_t>(size);
    return count * first + count * (count - 1) / 2;
  }
  static Outgoing about(Probe::Type type, const Parcel& parcel, std::uint32_t argument = 0) {
    Outgoing outgoing = Outgoing::of(type, parcel);
    outgoing.head.argument = argument;
    return outgoing;
  }
  static bool is_free(const Parcel& parcel) {
    return soon([&] { return parcel.messages() == 0; });
  }
};

TEST_P(RingReferences, ABufferMayBeLargerThanAnyPayload) {
  for (const int threads : {32, 128}) {
    const Kernel kernel =
        active({.name = std::to_string(threads), .max_payload_bytes = 64, .threads = threads});
    const auto buffer = buffer_of(kMany);
    const Parcel parcel = runtime.wrap(buffer);
    Letter reply;
    for (std::int64_t round = 0; round < 20; ++round) {
      ASSERT_TRUE(is_free(parcel)) << "it may be written again";
      fill(*buffer, round);
      ASSERT_EQ(kernel.request(about(Probe::kSum, parcel), reply, kLong), Delivery::ok);
      ASSERT_EQ(reply.as<std::int64_t>(), sum_of(kMany, round)) << round;
    }
  }
}

TEST_P(RingReferences, ABufferMayHaveAnySize) {
  const Kernel kernel = active({.max_payload_bytes = 32, .threads = 64});
  Letter reply;
  // Around what the message and its cells hold.
  for (const std::size_t size : {0U, 1U, 4U, 5U, 8U, 9U, 1000U}) {
    const Parcel parcel = runtime.wrap(buffer_of(size, 7));
    for (int round = 0; round < 10; ++round) {
      ASSERT_EQ(kernel.request(about(Probe::kSum, parcel), reply, kLong), Delivery::ok) << size;
      ASSERT_EQ(reply.as<std::int64_t>(), sum_of(size, 7)) << size;
    }
    EXPECT_TRUE(is_free(parcel)) << size;
  }
}

TEST_P(RingReferences, AMessageHoldsItUntilItIsHandled) {
  const Kernel kernel = make();
  kernel.launch();
  auto buffer = buffer_of(kMany);
  const std::weak_ptr<Numbers> seen = buffer;
  {
    const Parcel parcel = runtime.wrap(buffer);
    buffer.reset();
    for (std::uint32_t sent = 1; sent <= 3; ++sent) {
      ASSERT_EQ(kernel.send(about(Probe::kSum, parcel)), Delivery::ok);
      EXPECT_EQ(parcel.messages(), sent);
    }
  }
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(seen.expired()) << "three messages wait";
  kernel.activate(kLong);
  EXPECT_TRUE(soon([&] { return seen.expired(); }));
  EXPECT_TRUE(soon([&] { return kernel.telemetry().counts.processed == 3; }));
}

TEST_P(RingReferences, WhatWaitsAtTheEndLetsGo) {
  const Parcel parcel = runtime.wrap(buffer_of(kMany));
  const Kernel kernel = make();
  kernel.launch();
  for (const std::uint8_t priority : {kLow, kNormal, kHigh, kSystem})
    ASSERT_EQ(kernel.send(Outgoing::of(Probe::kSum, parcel, priority)), Delivery::ok);
  EXPECT_EQ(parcel.messages(), 4U);
  EXPECT_TRUE(kernel.terminate(kLong));
  EXPECT_EQ(parcel.messages(), 0U);
  EXPECT_EQ(kernel.try_send(about(Probe::kSum, parcel)), Delivery::not_running);
  EXPECT_EQ(parcel.messages(), 0U);
}

TEST_P(RingReferences, AnExpiredOneIsADeadLetterWithoutAPayload) {
  const Kernel kernel = make({.max_payload_bytes = 128});
  kernel.launch();
  const Parcel parcel = runtime.wrap(buffer_of(kMany));
  Outgoing late = about(Probe::kSum, parcel, 77);
  late.head.deadline_ns = 1;
  ASSERT_EQ(kernel.send(late), Delivery::ok);
  Delivery delivery{};
  const std::uint64_t asked = kernel.begin_request(about(Probe::kSum, parcel), delivery, 1ms);
  ASSERT_EQ(delivery, Delivery::ok);
  std::this_thread::sleep_for(10ms);
  kernel.activate(kLong);
  Letter letter;
  for (const std::uint32_t argument : {77U, 0U}) {
    ASSERT_TRUE(soon([&] { return kernel.receive_dead(letter) == Delivery::ok; }));
    EXPECT_EQ(letter.head.argument, argument);
    EXPECT_TRUE(letter.payload().empty());
  }
  letter.reserve(4096);
  ASSERT_TRUE(soon([&] { return (delivery = kernel.finish_request(asked, letter)) != Delivery::empty; }));
  EXPECT_EQ(delivery, Delivery::expired);
  EXPECT_TRUE(is_free(parcel));
}

TEST_P(RingReferences, WhatIsDroppedLetsGo) {
  const Kernel kernel = make({.inbox_capacity = 16, .backpressure = Backpressure::drop_oldest});
  kernel.launch();
  const Parcel parcel = runtime.wrap(buffer_of(kMany));
  for (int i = 0; i < 40; ++i) ASSERT_EQ(kernel.send(about(Probe::kSum, parcel), kLong), Delivery::ok);
  EXPECT_TRUE(soon([&] { return parcel.messages() == 16; }));
  EXPECT_TRUE(kernel.terminate(kLong));
  EXPECT_EQ(parcel.messages(), 0U);
}

TEST_P(RingReferences, ADuplicateLetsGo) {
  const Kernel kernel = active({.duplicate_window = 16});
  const Parcel parcel = runtime.wrap(buffer_of(kMany));
  Outgoing message = about(Probe::kSum, parcel);
  message.head.id = 4711;
  Letter reply;
  ASSERT_EQ(kernel.request(message, reply, kLong), Delivery::ok);
  EXPECT_EQ(reply.as<std::int64_t>(), sum_of(kMany, 0));
  EXPECT_EQ(kernel.request(message, reply, kLong), Delivery::duplicate);
  EXPECT_TRUE(is_free(parcel));
}

TEST_P(RingReferences, AFailureLetsGoOfWhatWaits) {
  const Kernel kernel = make();
  kernel.launch();
  const Parcel parcel = runtime.wrap(buffer_of(kMany));
  ASSERT_EQ(kernel.send(about(Probe::kFail, parcel, 3)), Delivery::ok);
  for (int i = 0; i < 5; ++i) ASSERT_EQ(kernel.send(about(Probe::kSum, parcel)), Delivery::ok);
  kernel.activate(kLong);
  ASSERT_TRUE(soon([&] { return kernel.state() == State::failed; }));
  EXPECT_TRUE(is_free(parcel));
}

TEST_P(RingReferences, ARestartHandlesWhatWaits) {
  const Kernel kernel = make({.restart = {.most_restarts = 1}});
  kernel.launch();
  const Parcel parcel = runtime.wrap(buffer_of(kMany));
  ASSERT_EQ(kernel.send(about(Probe::kFail, parcel, 3)), Delivery::ok);
  Delivery delivery{};
  const std::uint64_t asked = kernel.begin_request(about(Probe::kSum, parcel), delivery, kLong);
  ASSERT_EQ(delivery, Delivery::ok);
  kernel.activate(kLong);
  Letter reply;
  reply.reserve(4096);
  ASSERT_TRUE(soon([&] { return (delivery = kernel.finish_request(asked, reply)) != Delivery::empty; }));
  EXPECT_EQ(delivery, Delivery::ok);
  EXPECT_EQ(reply.as<std::int64_t>(), sum_of(kMany, 0));
  EXPECT_TRUE(is_free(parcel));
}

TEST_P(RingReferences, ManySendersUseTheSameSlots) {
  const Kernel kernel = active({.inbox_capacity = 16, .max_payload_bytes = 64});
  constexpr std::size_t kSize = 100;
  constexpr int kEach = 1000;
  std::vector<Parcel> parcels;
  for (std::int64_t sender = 0; sender < 3; ++sender)
    parcels.push_back(runtime.wrap(buffer_of(kSize, sender)));
  std::vector<std::thread> senders;
  for (std::size_t sender = 0; sender < parcels.size(); ++sender)
    senders.emplace_back([&kernel, &parcel = parcels[sender], first = static_cast<std::int64_t>(sender)] {
      Letter reply;
      const std::int64_t inside = 5;
      for (int i = 0; i < kEach; ++i) {  // by turns with messages that refer to nothing
        ASSERT_EQ(kernel.send(about(Probe::kSum, parcel), kLong), Delivery::ok);
        ASSERT_EQ(kernel.request(message(Probe::kSum, inside), reply, kLong), Delivery::ok);
        ASSERT_EQ(reply.as<std::int64_t>(), inside);
        ASSERT_EQ(kernel.request(about(Probe::kSum, parcel), reply, kLong), Delivery::ok);
        ASSERT_EQ(reply.as<std::int64_t>(), sum_of(kSize, first));
      }
    });
  for (std::thread& sender : senders) sender.join();
  for (const Parcel& parcel : parcels) EXPECT_TRUE(is_free(parcel));
}

TEST_P(RingReferences, AKernelHandsOnWhatFits) {
  // By the host nothing goes that is longer than what the sender itself takes.
  const std::size_t takes = GetParam().by_host ? 4096 : 64;
  const Kernel first = make({.name = "first", .max_payload_bytes = takes});
  const Kernel second = make({.name = "second", .max_payload_bytes = 4096});
  first.connect(second);
  for (const Kernel& kernel : {first, second}) {
    kernel.launch();
    kernel.activate(kLong);
  }
  const auto few = buffer_of(500);
  const Parcel parcel = runtime.wrap(few);
  Letter reply;
  ASSERT_EQ(first.request(about(Probe::kForward, parcel), reply, kLong), Delivery::ok);
  EXPECT_EQ(reply.head.source, second.number());
  EXPECT_TRUE(std::ranges::equal(reply.payload(), parcel.bytes()));
  const Parcel large = runtime.wrap(buffer_of(kMany));
  ASSERT_EQ(first.request(about(Probe::kSend, large, second.number()), reply, kLong), Delivery::ok);
  EXPECT_EQ(static_cast<Delivery>(reply.as<std::uint32_t>()),
            GetParam().is_cpu() ? Delivery::ok : Delivery::too_large)
      << "from GPU to GPU it travels inside";
  for (const Parcel& sent : {parcel, large}) EXPECT_TRUE(is_free(sent));
}

TEST_P(RingReferences, WhatIsNotPinnedTravelsInsideToAGpu) {
  const Kernel kernel = make({.max_payload_bytes = 4096});
  kernel.launch();
  const Parcel few = runtime.wrap(buffer_of(500, 1, HostMemory::pageable));
  const Parcel many = runtime.wrap(buffer_of(kMany, 1, HostMemory::pageable));
  Delivery delivery{};
  const std::uint64_t asked = kernel.begin_request(about(Probe::kSum, few), delivery, kLong);
  ASSERT_EQ(delivery, Delivery::ok);
  EXPECT_EQ(few.messages(), GetParam().is_cpu() ? 1U : 0U);
  EXPECT_EQ(kernel.send(about(Probe::kSum, many)), GetParam().is_cpu() ? Delivery::ok : Delivery::too_large);
  kernel.activate(kLong);
  Letter reply;
  reply.reserve(4096);
  ASSERT_TRUE(soon([&] { return (delivery = kernel.finish_request(asked, reply)) != Delivery::empty; }));
  EXPECT_EQ(delivery, Delivery::ok);
  EXPECT_EQ(reply.as<std::int64_t>(), sum_of(500, 1));
  for (const Parcel& sent : {few, many}) EXPECT_TRUE(is_free(sent));
}

INSTANTIATE_TEST_SUITE_P(OnEveryDevice, RingReferences, testing::ValuesIn(places()), place_label);

}  // namespace
}  // namespace ringwave::ring
