// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "ringwave/core/realtime.hpp"

namespace ringwave::stream {

/// How long something took, counted in buckets that double from 1/64 ms to about half a second.
class Histogram {
 public:
  static constexpr std::size_t kBuckets = 16;

  /// The upper end of a bucket in seconds; there is one more bucket for what is above the last. [any]
  [[nodiscard]] static constexpr double bound(std::size_t bucket) noexcept {
    return 1.0 / 64000 * static_cast<double>(std::uint64_t{1} << bucket);
  }

  /// [audio]
  RW_REALTIME void add(double seconds) noexcept {
    std::size_t bucket = 0;
    while (bucket < kBuckets && seconds > bound(bucket)) ++bucket;
    counts_[bucket].fetch_add(1, std::memory_order_relaxed);
    sum_.fetch_add(seconds, std::memory_order_relaxed);
    double most = most_.load(std::memory_order_relaxed);
    while (seconds > most && !most_.compare_exchange_weak(most, seconds, std::memory_order_relaxed)) {
    }
  }

  /// Of the bucket alone, not of those below it. [any]
  [[nodiscard]] std::uint64_t count(std::size_t bucket) const noexcept {
    return counts_[bucket].load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t total() const noexcept {
    std::uint64_t made = 0;
    for (const auto& count : counts_) made += count.load(std::memory_order_relaxed);
    return made;
  }
  [[nodiscard]] double sum() const noexcept { return sum_.load(std::memory_order_relaxed); }
  [[nodiscard]] double most() const noexcept { return most_.load(std::memory_order_relaxed); }

  /// The end of the bucket in which a share of all lies, 0 to 1, or the most where that is less; 0 where
  /// there is nothing. [any]
  [[nodiscard]] double quantile(double share) const noexcept {
    const auto wanted = share * static_cast<double>(total());
    std::uint64_t below = 0;
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
      below += count(bucket);
      if (below > 0 && static_cast<double>(below) >= wanted) return std::min(bound(bucket), most());
    }
    return most();
  }

 private:
  std::array<std::atomic<std::uint64_t>, kBuckets + 1> counts_{};
  std::atomic<double> sum_{0};
  std::atomic<double> most_{0};
};

}  // namespace ringwave::stream
