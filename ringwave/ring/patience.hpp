// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

#include "ringwave/core/relax.hpp"
#include "ringwave/ring/ring_clock.hpp"

namespace ringwave::ring {

/// How the host waits for something that it can only look at: looks, spins, then naps, never past a deadline.
///
///   Patience patience(deadline_ns);
///   while (!there()) if (!patience.wait()) return Delivery::timed_out;
class Patience {
 public:
  /// Looks one after the other before a pause goes between them: some microseconds, within which an answer
  /// mostly comes, and a pause is longer than a look.
  static constexpr unsigned kEagerLooks = 512;

  explicit Patience(std::int64_t deadline_ns) noexcept : deadline_ns_(deadline_ns) {}

  /// False once the deadline has passed. [any]
  bool wait() noexcept {
    if (++looks_ > kEagerLooks) relax();
    if (looks_ % kLooks != 0) return true;
    const std::int64_t now = ring_now_ns();
    if (begin_ns_ == 0) begin_ns_ = now;
    if (now > deadline_ns_) return false;
    if (now - begin_ns_ > kSpinNs) std::this_thread::sleep_for(std::chrono::microseconds{20});
    return true;
  }

 private:
  static constexpr unsigned kLooks = 32;
  static constexpr std::int64_t kSpinNs = 100'000;
  std::int64_t deadline_ns_;
  std::int64_t begin_ns_ = 0;
  unsigned looks_ = 0;
};

}  // namespace ringwave::ring
