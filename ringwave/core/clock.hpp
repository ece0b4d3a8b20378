// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave {

/// Frames since a stream began. At 192 kHz it lasts 1.5 million years.
using FrameCount = std::int64_t;

/// An absolute sample clock: it ties frame numbers to the machine's monotonic time without ever adding up
/// block durations, so that it does not drift however long a stream runs.
class Clock {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Frame 0 is at `origin`. Throws InvalidArgument for a rate outside 1 Hz to 10 MHz. [setup]
  explicit Clock(int sample_rate_hz, Time origin = std::chrono::steady_clock::now())
      : origin_(origin), rate_hz_(sample_rate_hz) {
    if (rate_hz_ < 1 || rate_hz_ > 10'000'000)
      throw InvalidArgument("a sample rate of " + std::to_string(rate_hz_) +
                            " Hz was asked for; use 1 to 10000000");
  }

  /// Frames a second. [any]
  [[nodiscard]] int sample_rate_hz() const noexcept { return rate_hz_; }

  /// When `frame` is due, rounded up to the nanosecond. [any]
  [[nodiscard]] Time time_of(FrameCount frame) const noexcept {
    const auto scaled = static_cast<Wide>(frame) * kNanoseconds;
    return origin_ + std::chrono::nanoseconds{static_cast<std::int64_t>(-floor_divide(-scaled, rate_hz_))};
  }

  /// The frame that sounds at `time`: the last one whose time is not after it. [any]
  [[nodiscard]] FrameCount frame_at(Time time) const noexcept {
    const auto elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(time - origin_).count();
    return static_cast<FrameCount>(floor_divide(static_cast<Wide>(elapsed) * rate_hz_, kNanoseconds));
  }

  /// Length of `frames` in seconds. [any]
  [[nodiscard]] double seconds(FrameCount frames) const noexcept {
    return static_cast<double>(frames) / static_cast<double>(rate_hz_);
  }

 private:
  // Frames × 10^9 passes 64 bits after two days at 48 kHz. nvcc knows no other way to say it without a
  // warning.
  __extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using)
  static constexpr Wide kNanoseconds = 1'000'000'000;

  static constexpr Wide floor_divide(Wide a, Wide b) noexcept { return a / b - (a % b < 0 ? 1 : 0); }

  Time origin_;
  int rate_hz_;
};

}  // namespace ringwave
