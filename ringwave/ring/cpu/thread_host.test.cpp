// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "ringwave/core/device.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/ring/kernel_host.hpp"
#include "ringwave/ring/ring_clock.hpp"

namespace ringwave::ring {
namespace {

using namespace std::chrono_literals;

/// Fails, and returns when it is let go.
struct Stubborn {
  inline static std::atomic<bool> is_held{true};
  inline static std::atomic<Delivery> late{Delivery::ok};  ///< what became of a reply after that

  void on_message(Context& context, const Message& /*message*/) {
    context.fail(1);
    while (is_held.load()) std::this_thread::sleep_for(1ms);
    late.store(context.reply(1));
  }
};

TEST(ThreadHost, AHandlerThatFailedAndDoesNotReturnIsLeftBehindAndItsRequestIsAnswered) {
  start_ring_clock();
  Stubborn::is_held.store(true);
  Stubborn::late.store(Delivery::ok);
  const auto desk = std::make_shared<ReplyDesk>(Device::cpu(), 16, 64);
  HostRequest request{
      .spec = {.max_payload_bytes = 64}, .handler = handler<Stubborn>("stubborn"), .desk = desk};
  const auto initial = request.handler.initial();
  request.state.assign(initial.begin(), initial.end());
  const std::unique_ptr<KernelHost> host = make_thread_host(std::move(request));
  host->start();
  host->command(Command::run);
  MessageHead head;
  head.correlation = desk->open();
  head.flags = MessageHead::kRequest;
  ASSERT_EQ(host->try_send(head, nullptr), Delivery::ok);
  const std::int64_t deadline = ring_deadline_ns(20s);
  while (host->phase() != Phase::failed && ring_now_ns() < deadline) std::this_thread::sleep_for(1ms);
  ASSERT_EQ(host->phase(), Phase::failed);
  Letter reply;
  reply.reserve(64);
  EXPECT_FALSE(desk->look(head.correlation, reply)) << "its handler runs, and may reply";
  std::vector<std::byte> state(sizeof(Stubborn));
  EXPECT_THROW(host->save_state(state), InvalidState) << "it may be writing it";
  EXPECT_FALSE(host->join(ring_deadline_ns(1ms)));
  EXPECT_EQ(host->counts().errors, 1U);
  ASSERT_TRUE(desk->look(head.correlation, reply));
  EXPECT_EQ(reply.head.flags & MessageHead::kVerdict, MessageHead::kVerdict);
  EXPECT_EQ(static_cast<Delivery>(reply.head.type), Delivery::failed);
  Stubborn::is_held.store(false);
  while (Stubborn::late.load() == Delivery::ok && ring_now_ns() < deadline) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(Stubborn::late.load(), Delivery::duplicate);
}

}  // namespace
}  // namespace ringwave::ring
