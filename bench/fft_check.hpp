// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <span>

#include "bench/parity.hpp"

namespace ringwave::bench {

/// Looks at some bins of some of the transforms of a batch, by the definition in double. [setup]
[[nodiscard]] inline Check check_bins(std::span<const float> samples,
                                      std::span<const std::complex<float>> bins, int size, int batch) {
  constexpr double kLeastDb = 120;
  const auto points = static_cast<std::uint64_t>(size);
  const auto bin_count = points / 2 + 1;
  Parity parity;
  for (const int b : {0, batch / 2, batch - 1})
    for (const std::uint64_t k : {std::uint64_t{0}, std::uint64_t{1}, points / 3, points / 2}) {
      const auto first = static_cast<std::uint64_t>(b);
      std::complex<double> sum = 0;
      for (std::uint64_t n = 0; n < points; ++n)
        sum += static_cast<double>(samples[first * points + n]) *
               std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k * n % points) / size);
      parity.add(sum.real(), bins[first * bin_count + k].real());
      parity.add(sum.imag(), bins[first * bin_count + k].imag());
    }
  return parity.check(kLeastDb);
}

}  // namespace ringwave::bench
