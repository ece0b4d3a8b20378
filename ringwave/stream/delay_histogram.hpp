// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace ringwave::stream {

/// Any number of delays in 7 KB: exact to the microsecond below 64 us, and to 1/32 of their value from there
/// to an hour. The largest is kept as it is.
class DelayHistogram {
 public:
  using Delay = std::chrono::nanoseconds;

  /// What is below 0 counts as 0. [any]
  void add(Delay delay) noexcept {
    delay = std::max(delay, Delay{0});
    ++counts_[bucket_of(static_cast<std::uint64_t>(delay.count()) / 1000)];
    ++total_;
    most_ = std::max(most_, delay);
  }

  /// [any]
  DelayHistogram& operator+=(const DelayHistogram& other) noexcept {
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) counts_[bucket] += other.counts_[bucket];
    total_ += other.total_;
    most_ = std::max(most_, other.most_);
    return *this;
  }

  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  [[nodiscard]] Delay most() const noexcept { return most_; }

  /// That which a share of all, 0 to 1, does not pass; rounded up to the end of its bucket. 0 where there is
  /// none. [any]
  [[nodiscard]] Delay quantile(double share) const noexcept {
    const double wanted = share * static_cast<double>(total_);
    std::uint64_t below = 0;
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
      below += counts_[bucket];
      if (below > 0 && static_cast<double>(below) >= wanted) return std::min(most_, end_of(bucket));
    }
    return most_;
  }

 private:
  static constexpr std::size_t kParts = 32;  // of an octave
  static constexpr unsigned kPartBits = 5;
  static constexpr unsigned kOctaves = 32;  // 2^32 us are 71 minutes
  static constexpr std::size_t kBuckets = (kOctaves - kPartBits + 1) * kParts;

  static std::size_t bucket_of(std::uint64_t us) noexcept {
    if (us < kParts) return us;
    const auto octave = static_cast<unsigned>(std::bit_width(us)) - 1 - kPartBits;
    return std::min<std::size_t>(kBuckets - 1, octave * kParts + (us >> octave));
  }
  /// The first microsecond that is above it.
  static Delay end_of(std::size_t bucket) noexcept {
    if (bucket < kParts) return std::chrono::microseconds(bucket + 1);
    const std::size_t octave = bucket / kParts - 1;
    return std::chrono::microseconds((bucket - octave * kParts + 1) << octave);
  }

  std::array<std::uint64_t, kBuckets> counts_{};
  std::uint64_t total_ = 0;
  Delay most_{0};
};

}  // namespace ringwave::stream
