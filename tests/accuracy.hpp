// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <ranges>

namespace ringwave {

/// How far the error of `found` lies below `truth`, in dB of power over all of it; 400 where there is none.
/// Of real or complex numbers. [setup]
template <std::ranges::random_access_range Found, std::ranges::random_access_range Truth>
[[nodiscard]] double accuracy_db(const Found& found, const Truth& truth) {
  using Complex = std::complex<double>;
  double signal = 0;
  double error = 0;
  for (std::size_t i = 0; i < std::ranges::size(found); ++i) {
    signal += std::norm(Complex(truth[i]));
    error += std::norm(Complex(found[i]) - Complex(truth[i]));
  }
  return error == 0 ? 400 : 10 * std::log10(signal / error);
}

}  // namespace ringwave
