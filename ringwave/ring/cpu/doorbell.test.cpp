// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/cpu/doorbell.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "ringwave/ring/ring_clock.hpp"

namespace ringwave::ring {
namespace {

using namespace std::chrono_literals;

TEST(Doorbell, EverySleeperWakesForWhatWasDone) {
  start_ring_clock();
  Doorbell bell;
  std::atomic<int> done{0};
  constexpr int kTimes = 20'000;
  std::thread ringer([&] {
    for (int i = 1; i <= kTimes; ++i) {
      done.store(i, std::memory_order_release);
      bell.ring();
    }
  });
  // With a lost ring the last sleep would take its whole hour.
  for (int seen = 0; seen < kTimes;) {
    const std::uint32_t ticket = bell.listen();
    const int now = done.load(std::memory_order_seq_cst);
    if (now != seen) {
      seen = now;
      bell.leave();
    } else {
      bell.sleep(ticket, ring_deadline_ns(1h));
    }
  }
  ringer.join();
}

TEST(Doorbell, NobodySleepsPastTheDeadline) {
  start_ring_clock();
  Doorbell bell;
  const std::int64_t deadline = ring_deadline_ns(5ms);
  bell.sleep(bell.listen(), deadline);
  EXPECT_GE(ring_now_ns(), deadline - 1'000'000);  // a sleep may be cut short, which does no harm
  bell.sleep(bell.listen(), ring_now_ns() - 1);    // and one in the past is none
}

}  // namespace
}  // namespace ringwave::ring
