// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/kernel_table.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "ringwave/ring/handlers.hpp"
#include "ringwave/ring/kernel_core.hpp"
#include "ringwave/ring/ring_clock.hpp"
#include "ringwave/ring/runtime.hpp"
#include "tests/ring/fake_host.hpp"

namespace ringwave::ring {
namespace {

using namespace std::chrono_literals;

/// Hands what it gets on to the kernel whose number is the argument, and replies with what became of it.
struct Passer {
  void on_message(Context& context, const Message& message) {
    const auto target = static_cast<std::uint16_t>(message.argument());
    context.reply(static_cast<std::uint32_t>(context.send(target, 0, message.data(), message.bytes())));
  }
};

std::unique_ptr<KernelCore> kernel_on(std::unique_ptr<FakeHost> host, std::shared_ptr<ReplyDesk> desk) {
  HostRequest request{.number = 7, .desk = std::move(desk)};
  auto core = std::make_unique<KernelCore>(std::move(request), "fake", std::move(host));
  core->launch();
  return core;
}

TEST(KernelTable, GivesNumbersThatAreFree) {
  start_ring_clock();
  const auto desk = std::make_shared<ReplyDesk>(Device::cpu(), 16, 64);
  const auto core = kernel_on(std::make_unique<FakeHost>(desk), desk);
  KernelTable table;
  EXPECT_EQ(table.free_number(), 1);
  EXPECT_EQ(table.free_number(), 2) << "and not 1, which somebody may know";
  for (std::uint16_t number = 1; number <= KernelTable::kMostKernels; ++number) table.set(number, *core);
  EXPECT_EQ(table.free_number(), 0) << "all are taken";
  table.clear(200);
  table.clear(100);
  EXPECT_EQ(table.free_number(), 200) << "it has been free for longer";
  EXPECT_EQ(table.free_number(), 100);
  EXPECT_EQ(table.send(200, {}, nullptr, 0), Delivery::unknown_target);
  EXPECT_EQ(table.send(0, {}, nullptr, 0), Delivery::unknown_target) << "the host is no kernel";
  EXPECT_EQ(table.send(256, {}, nullptr, 0), Delivery::unknown_target);
  EXPECT_EQ(table.send(7, {}, nullptr, 0), Delivery::ok);
}

TEST(KernelTable, AKernelIsClearedOnlyWhenNobodySendsToIt) {
  start_ring_clock();
  const auto desk = std::make_shared<ReplyDesk>(Device::cpu(), 16, 64);
  auto host = std::make_unique<FakeHost>(desk);
  std::atomic<bool> is_inside{false};
  std::atomic<bool> is_clearing{false};
  bool has_left = false;  // not atomic: clear() orders it
  host->on_send = [&] {
    is_inside = true;
    while (!is_clearing) std::this_thread::yield();
    std::this_thread::sleep_for(5ms);
    has_left = true;
  };
  auto core = kernel_on(std::move(host), desk);
  KernelTable table;
  table.set(7, *core);
  std::thread sender([&] { EXPECT_EQ(table.send(7, {}, nullptr, 0), Delivery::ok); });
  while (!is_inside) std::this_thread::yield();
  is_clearing = true;
  table.clear(7);
  EXPECT_TRUE(has_left);
  core.reset();
  sender.join();
  EXPECT_EQ(table.send(7, {}, nullptr, 0), Delivery::unknown_target);
}

TEST(KernelTable, ATargetMayEndAndBeMadeAgain) {
  static const bool once = [] {
    Handlers::instance().add(handler<Passer>("passer"));
    return true;
  }();
  ASSERT_TRUE(once);
  Runtime runtime({.device = Device::cpu()});
  const KernelScope passer(runtime.create({.handler = "passer"}));
  std::atomic<std::uint32_t> target{0};
  std::atomic<bool> done{false};
  std::uint64_t arrived = 0;
  std::thread sender([&] {
    Letter reply;
    while (!done) {
      const std::int64_t value = 1;
      Outgoing message = Outgoing::of(0, value);
      message.head.argument = target;
      ASSERT_EQ(passer->request(message, reply, 20s), Delivery::ok);
      const auto delivery = static_cast<Delivery>(reply.as<std::uint32_t>());
      ASSERT_TRUE(delivery == Delivery::ok || delivery == Delivery::unknown_target) << to_string(delivery);
      if (delivery == Delivery::ok) ++arrived;
    }
  });
  for (int life = 0; life < 100; ++life) {
    KernelSpec spec;
    spec.name = "life " + std::to_string(life);
    spec.handler = "echo";
    spec.backpressure = Backpressure::drop_oldest;
    const KernelScope echo(runtime.create(spec));
    target = echo->number();
    Letter letter;
    ASSERT_EQ(echo->receive(letter, 20s), Delivery::ok) << "somebody sends to it";
  }
  done = true;
  sender.join();
  EXPECT_GE(arrived, 100U);
}

}  // namespace
}  // namespace ringwave::ring
