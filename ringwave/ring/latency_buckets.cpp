// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/latency_buckets.hpp"

#include <algorithm>

#include "ringwave/ring/shared_word.hpp"

namespace ringwave::ring {
namespace {

/// The end of the bucket in which the message of that rank is.
std::int64_t at_rank(const LatencyBuckets& buckets, std::uint64_t rank) noexcept {
  std::uint64_t below = 0;
  for (int bucket = 0; bucket < LatencyBuckets::kBuckets; ++bucket) {
    below += peek(buckets.counts[bucket]);
    if (below > rank) return LatencyBuckets::end_of(bucket);
  }
  return LatencyBuckets::end_of(LatencyBuckets::kBuckets - 1);
}

}  // namespace

LatencySummary summary_of(const LatencyBuckets& buckets) noexcept {
  LatencySummary summary;
  for (const std::uint64_t& count : buckets.counts) summary.count += peek(count);
  if (summary.count == 0) return summary;
  summary.min_ns = peek(buckets.min_ns);
  summary.max_ns = peek(buckets.max_ns);
  const auto clamped = [&](std::uint64_t rank) {
    return std::clamp(at_rank(buckets, rank), summary.min_ns, std::max(summary.min_ns, summary.max_ns));
  };
  summary.p50_ns = clamped(summary.count / 2);
  summary.p99_ns = clamped(summary.count - 1 - summary.count / 100);
  return summary;
}

}  // namespace ringwave::ring
