// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>

#include "ringwave/core/realtime.hpp"

namespace ringwave::stream {

/// Share of its time that a thread works, over about the last quarter of a second, and what it would be with
/// more stations. One thread adds; any may look.
class LoadMeter {
 public:
  /// Of the last `seconds` it worked for `busy_seconds`, for so many stations. [audio]
  RW_REALTIME void add(double busy_seconds, double seconds, double stations) noexcept {
    if (seconds <= 0) return;
    const double weight = std::min(1.0, seconds / kSeconds);
    load_.store(load() + weight * (busy_seconds / seconds - load()), std::memory_order_relaxed);
    const double before = stations_.load(std::memory_order_relaxed);
    stations_.store(before + weight * (stations - before), std::memory_order_relaxed);
  }

  /// It rests. [audio]
  RW_REALTIME void clear() noexcept {
    load_.store(0, std::memory_order_relaxed);
    stations_.store(0, std::memory_order_relaxed);
  }

  /// 0 to 1; more where the work takes longer than there is time. [any]
  [[nodiscard]] double load() const noexcept { return load_.load(std::memory_order_relaxed); }

  /// The number of stations, over the same time. [any]
  [[nodiscard]] double stations() const noexcept { return stations_.load(std::memory_order_relaxed); }

  /// The load with so many stations, if each takes what one took so far. Those that have just begun are in
  /// `stations` before they are in the load: a crowd that comes at once is seen in time. [any]
  [[nodiscard]] double load_with(double wanted) const noexcept {
    const double known = stations();
    return known > 0 ? load() * std::max(1.0, wanted / known) : 0;
  }

 private:
  static constexpr double kSeconds = 0.25;

  std::atomic<double> load_{0};
  std::atomic<double> stations_{0};
};

}  // namespace ringwave::stream
