// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <span>

namespace ringwave::dsp {

/// One second-order section with a0 = 1:  y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2]
///
/// In double, because the place of a low pole is in the last digits: rounded to float, the corner of a
/// fourth-order high-pass at 20 Hz and 192 kHz moves by half a percent.
struct Section {
  double b0 = 1, b1 = 0, b2 = 0, a1 = 0, a2 = 0;
};

/// The larger of the section's two pole radii; it is stable where this is below 1. [any]
[[nodiscard]] double pole_radius(const Section& section) noexcept;

/// True where the coefficients are finite and the poles inside the unit circle. [any]
[[nodiscard]] bool is_stable(const Section& section) noexcept;

/// What the cascade makes of a sine of that frequency: its transfer function at  z = e^(i 2 pi hz / rate).
/// [any]
[[nodiscard]] std::complex<double> response(std::span<const Section> sections, double hz,
                                            double sample_rate_hz) noexcept;

/// The size of that in decibels. [any]
[[nodiscard]] double response_db(std::span<const Section> sections, double hz,
                                 double sample_rate_hz) noexcept;

/// Throws InvalidArgument for coefficients that are not finite or poles that are not inside the unit circle,
/// naming the section and the pole. [setup]
void require_stable(std::span<const Section> sections);

}  // namespace ringwave::dsp
