// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace ringwave::dsp {

/// A window: what a stretch of a signal is multiplied by before it is transformed.
///
///   hann       0.5 - 0.5 cos(2 pi n / M)
///   hamming    0.54 - 0.46 cos(2 pi n / M)
///   blackman   0.42 - 0.5 cos(2 pi n / M) + 0.08 cos(4 pi n / M)
///   kaiser     I0(beta sqrt(1 - (2 n / M - 1)^2)) / I0(beta)
///
/// M is the size for a periodic window, which adds up evenly when it is repeated, and the size less one for a
/// symmetric one, whose ends are alike: for filters.
struct Window {
  enum class Shape : unsigned char { rectangular, hann, hamming, blackman, kaiser };

  Shape shape = Shape::hann;
  bool periodic = true;
  double beta = 8.6;  ///< of Kaiser's: 0 is rectangular, 8.6 is about Blackman's

  friend bool operator==(const Window&, const Window&) = default;
};

/// Its values. Throws InvalidArgument unless 1 <= size <= 2^26 and 0 <= beta <= 100. [setup]
[[nodiscard]] std::vector<double> window_values(const Window& window, int size);

/// Kaiser's window at a place from -1 to 1: 1 in the middle; 0 beyond the ends. [setup]
[[nodiscard]] double kaiser(double place, double beta);

}  // namespace ringwave::dsp
