// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>

namespace ringwave::dsp {

/// sin(pi x) / (pi x). [any]
[[nodiscard]] inline double sinc(double x) noexcept {
  return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x);
}

}  // namespace ringwave::dsp
