// SPDX-License-Identifier: Apache-2.0
// What an audio thread asks of ring kernels.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "ringwave/core/buffer.hpp"
#include "ringwave/ring/runtime.hpp"
#include "tests/realtime/guard.hpp"

namespace ringwave::realtime {
namespace {

TEST(RealtimeRing, AMessageAllocatesNothingAndMakesNoCall) {
  ring::Runtime runtime({.device = Device::cpu()});
  const ring::KernelScope echo(runtime.create({.handler = "echo", .wait = ring::Wait::spin}));
  ring::Letter letter;
  letter.reserve(4096);
  int sent = 0;
  int received = 0;
  int answered = 0;
  const double value = 1;
  const auto send = [&] {
    if (echo->try_send(ring::Outgoing::of(0, value)) == ring::Delivery::ok) ++sent;
  };
  const auto receive = [&] {
    if (echo->try_receive(letter) == ring::Delivery::ok) ++received;
  };
  // As often, and then until the kernel's thread, which may have no core of its own, had its turn.
  constexpr int kRounds = 2000;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{60};
  for (int i = 0; i < kRounds || ((received == 0 || answered == 0) && std::chrono::steady_clock::now() < end);
       ++i) {
    RealtimeGuard guard;
    if (i < kRounds) send();
    receive();
    ring::Delivery delivery{};
    const std::uint64_t request = echo->begin_request(ring::Outgoing::of(0, value), delivery);
    for (int look = 0; look < 100 && request != 0; ++look)
      if (echo->finish_request(request, letter) == ring::Delivery::ok) {
        ++answered;
        break;
      } else if (look == 99) {
        echo->forget_request(request);
      }
    (void)echo->counts();
    guard.end();
    ASSERT_EQ(guard.violations(), 0U) << guard.report();
    if (i % 16 == 0) std::this_thread::yield();
    if (i >= kRounds) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  EXPECT_EQ(sent, kRounds);
  EXPECT_GT(received, 0);
  EXPECT_GT(answered, 0);
}

TEST(RealtimeRing, AParcelIsSentAndLetGoOfWithoutACall) {
  ring::Runtime runtime({.device = Device::cpu()});
  const ring::KernelScope echo(runtime.create({.handler = "echo",
                                               .inbox_capacity = 16,
                                               .backpressure = ring::Backpressure::drop_oldest,
                                               .wait = ring::Wait::spin}));
  std::weak_ptr<Buffer<float>> seen;
  for (int i = 0; i < 200; ++i) {
    auto buffer = std::make_shared<Buffer<float>>(Device::cpu(), 100'000);
    seen = buffer;
    auto parcel = std::make_optional(runtime.wrap(buffer));
    buffer.reset();
    RealtimeGuard guard;
    for (int sent = 0; sent < 20; ++sent) (void)echo->try_send(ring::Outgoing::of(0, *parcel));
    parcel.reset();  // whether or not this is the last one
    guard.end();
    ASSERT_EQ(guard.violations(), 0U) << guard.report();
  }
  echo->terminate();
  for (int i = 0; i < 20'000 && !seen.expired(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  EXPECT_TRUE(seen.expired());
}

}  // namespace
}  // namespace ringwave::realtime
