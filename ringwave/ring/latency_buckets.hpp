// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "ringwave/core/host_device.hpp"

namespace ringwave::ring {

/// Nanoseconds; 0 where there was none.
struct LatencySummary {
  std::uint64_t count = 0;
  std::int64_t min_ns = 0;
  std::int64_t p50_ns = 0;
  std::int64_t p99_ns = 0;
  std::int64_t max_ns = 0;
};

/// Counts of latencies in eighths of an octave from 16 ns to half a minute. One side adds, the other reads at
/// any time; it lies in memory that both reach.
struct LatencyBuckets {
  static constexpr int kParts = 8;  // of an octave
  static constexpr int kOctaves = 31;
  static constexpr int kBuckets = kOctaves * kParts;

  std::uint64_t counts[kBuckets];
  std::int64_t min_ns;
  std::int64_t max_ns;

  /// Where a latency is counted. [ring]
  [[nodiscard]] RW_HOST_DEVICE static int bucket_of(std::int64_t ns) {
    if (ns < 16) return 0;
#if defined(__CUDA_ARCH__)
    const int width = 64 - __clzll(ns);
#else
    const int width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(ns)));
#endif
    const int octave = width - 5 < kOctaves - 1 ? width - 5 : kOctaves - 1;
    const std::int64_t part =
        (ns >> (octave + 1)) - kParts;  // what is too long for the last octave is in its end
    return octave * kParts + static_cast<int>(part < kParts ? part : kParts - 1);
  }

  /// The longest latency of a bucket. [any]
  [[nodiscard]] static constexpr std::int64_t end_of(int bucket) noexcept {
    return std::int64_t{kParts + bucket % kParts + 1} << (bucket / kParts + 1);
  }
};

/// What the buckets come to; quantiles are the end of their bucket, within 1/8 of the truth. [any]
[[nodiscard]] LatencySummary summary_of(const LatencyBuckets& buckets) noexcept;

}  // namespace ringwave::ring
