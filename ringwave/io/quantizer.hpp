// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ringwave::io {

/// From samples to integers of `bits` bits:  q = round(2^(bits-1) x + d),  held within the integers' range.
///
/// d is dither: the difference of two uniform numbers, a triangle from -1 to 1, which makes the rounding
/// error noise that does not follow the signal. The same stream of samples always gets the same noise.
class Quantizer {
 public:
  Quantizer(int bits, bool dither) noexcept : scale_(std::ldexp(1.0, bits - 1)), dither_(dither) {}

  /// The integer for a finite sample. [any]
  [[nodiscard]] std::int32_t operator()(float sample) noexcept {
    const double noise = dither_ ? uniform() - uniform() : 0.0;
    const double rounded = std::nearbyint(static_cast<double>(sample) * scale_ + noise);
    return static_cast<std::int32_t>(std::clamp(rounded, -scale_, scale_ - 1));
  }

 private:
  /// From 0 to 1, by a 64-bit linear congruence (Knuth's MMIX constants), of which the high bits are good.
  double uniform() noexcept {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return std::ldexp(static_cast<double>(state_ >> 11U), -53);
  }

  double scale_;
  bool dither_;
  std::uint64_t state_ = 1;
};

}  // namespace ringwave::io
