// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "ringwave/dsp/window.hpp"

namespace ringwave::dsp {

/// How evenly a window adds up when it is repeated every `hop` samples.
struct Overlap {
  enum class Grade : unsigned char {
    perfect,  ///< the sum is constant to rounding: overlapping and adding alone gives the signal
    near,     ///< it ripples by at most 0.1 dB
    uneven,  ///< it ripples by more; an inverse that divides by the sum of the squares still gives the signal
    lost,    ///< some samples have next to no weight, and no inverse gets them back
  };

  Grade grade = Grade::lost;
  double ripple_db = 0;         ///< from the least to the greatest sum of windows; infinite where one is 0
  double square_ripple_db = 0;  ///< the same of the sum of their squares, by which the inverse divides
  /// Hops from half the size down, the largest first, that are perfect, or near where none is: at most five.
  std::vector<int> suggested_hops;
};

/// Grades a window and a hop. Throws InvalidArgument for a size, a beta or a hop out of range. [setup]
[[nodiscard]] Overlap grade_overlap(const Window& window, int size, int hop);

/// "perfect", "near", "uneven", "lost". [any]
[[nodiscard]] std::string_view to_string(Overlap::Grade grade) noexcept;

}  // namespace ringwave::dsp
