// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>

namespace ringwave::stream {

/// Holds a client to a rate: `capacity` at once, and `per_second` in the long run.
class TokenBucket {
 public:
  using Time = std::chrono::steady_clock::time_point;

  TokenBucket(double capacity, double per_second, Time now = std::chrono::steady_clock::now()) noexcept
      : capacity_(capacity), per_second_(per_second), tokens_(capacity), filled_(now) {}

  /// Takes tokens, or none where there are too few. [any]
  [[nodiscard]] bool take(double tokens = 1, Time now = std::chrono::steady_clock::now()) noexcept {
    fill(now);
    if (tokens_ < tokens) return false;
    tokens_ -= tokens;
    return true;
  }

  /// True once nothing was taken for long enough: a full bucket may be forgotten. [any]
  [[nodiscard]] bool is_full(Time now = std::chrono::steady_clock::now()) noexcept {
    fill(now);
    return tokens_ >= capacity_;
  }

 private:
  void fill(Time now) noexcept {
    const double seconds = std::chrono::duration<double>(now - filled_).count();
    tokens_ = std::min(capacity_, tokens_ + std::max(0.0, seconds) * per_second_);
    filled_ = std::max(filled_, now);
  }

  double capacity_;
  double per_second_;
  double tokens_;
  Time filled_;
};

}  // namespace ringwave::stream
