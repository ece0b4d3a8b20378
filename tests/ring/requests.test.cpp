// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "ringwave/core/buffer.hpp"
#include "ringwave/ring/runtime.hpp"
#include "tests/ring/conformance.hpp"
#include "tests/ring/probe.hpp"

/// Requests and what becomes of them, on every device.
namespace ringwave::ring {
namespace {

using namespace std::chrono_literals;

class RingRequests : public Conformance {};

TEST_P(RingRequests, AnswersWithTheSamePayload) {
  const Kernel kernel = active({.max_payload_bytes = 4096});
  Letter reply;
  // Around what fits into the cells, and up to the longest.
  for (const std::size_t bytes : {0U, 1U, 3U, 4U, 63U, 64U, 65U, 128U, 1000U, 4096U}) {
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

TEST_P(RingRequests, AllLanesWorkOnAMessage) {
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

TEST_P(RingRequests, LanesOfAllBlocksSeeWhatTheOthersWrote) {
  for (const int threads : {GetParam().threads, 128}) {
    const Kernel kernel = active({.name = std::to_string(threads), .threads = threads});
    const std::int64_t lanes = GetParam().is_cpu() ? 1 : GetParam().blocks * threads;
    Letter reply;
    for (std::int64_t turn = 0; turn < 500; ++turn) {
      ASSERT_EQ(kernel.request(message(Probe::kCount, 1000 * turn), reply, kLong), Delivery::ok);
      ASSERT_EQ(reply.as<std::int64_t>(), lanes) << turn;
    }
  }
}

TEST_P(RingRequests, AllLanesLearnWhatTheFirstOneHas) {
  for (const int threads : {GetParam().threads, 128}) {
    const Kernel kernel = active({.name = std::to_string(threads), .threads = threads});
    Letter reply;
    for (std::int64_t value = 0; value < 200; ++value) {
      ASSERT_EQ(kernel.request(message(Probe::kShare, value), reply, kLong), Delivery::ok);
      std::int64_t expected = value;
      for (std::int64_t i = 0; i < 4; ++i) expected = 3 * expected + i;
      ASSERT_EQ(reply.as<std::int64_t>(), expected);
    }
  }
}

TEST_P(RingRequests, APayloadMayGoByReference) {
  const Kernel kernel = active({.max_payload_bytes = 4096, .threads = 64});
  const auto buffer = std::make_shared<Buffer<float>>(device(), 1000, HostMemory::pinned);
  const auto samples = buffer->overwrite_host();
  std::iota(samples.begin(), samples.end(), 0.0F);
  const Parcel parcel = runtime.wrap(buffer);
  Letter reply;
  for (int round = 0; round < 20; ++round) {
    ASSERT_EQ(kernel.request(Outgoing::of(Probe::kDouble, parcel), reply, kLong), Delivery::ok);
    ASSERT_EQ(reply.payload().size(), samples.size() * sizeof(float));
    std::vector<float> out(samples.size());
    std::memcpy(out.data(), reply.payload().data(), reply.payload().size());
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], 2 * samples[i]) << i;
  }
  EXPECT_TRUE(soon([&] { return parcel.messages() == 0; }));
}

TEST_P(RingRequests, SaysWhatBecameOfARequest) {
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

TEST_P(RingRequests, ARequestThatIsNotHandledInTimeTimesOut) {
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

TEST_P(RingRequests, ManyRequestsAtATimeFindTheirReplies) {
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

TEST_P(RingRequests, KernelsSendToOneAnother) {
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

TEST_P(RingRequests, CountsWhatItDoes) {
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
  EXPECT_LT(t.latency.max_ns, std::chrono::nanoseconds{kLong}.count()) << "since it was sent";
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

INSTANTIATE_TEST_SUITE_P(OnEveryDevice, RingRequests, testing::ValuesIn(places()), place_label);

}  // namespace
}  // namespace ringwave::ring
