// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>

namespace ringwave::server {

/// When a loop that comes round every second did so last. One thread sets it; any other sees whether that is
/// too long ago, and waits for nobody to find out.
class TickStamp {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// So long without a stamp, and something hangs: a machine that is only busy is late by less.
  static constexpr std::chrono::seconds kPatience{5};

  /// [any]
  void set(Time now) noexcept { last_.store(now.time_since_epoch().count(), std::memory_order_relaxed); }
  /// [any]
  [[nodiscard]] bool is_overdue(Time now) const noexcept {
    return now - Time(Time::duration(last_.load(std::memory_order_relaxed))) > kPatience;
  }

 private:
  std::atomic<Time::rep> last_{std::chrono::steady_clock::now().time_since_epoch().count()};
};

}  // namespace ringwave::server
