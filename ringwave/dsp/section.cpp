// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/section.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {

double pole_radius(const Section& section) noexcept {
  const double discriminant = section.a1 * section.a1 - 4 * section.a2;
  if (discriminant < 0) return std::sqrt(section.a2);  // a conjugate pair: its product is a2
  const double root = std::sqrt(discriminant);
  return std::max(std::abs(-section.a1 + root), std::abs(-section.a1 - root)) / 2;
}

bool is_stable(const Section& s) noexcept {
  for (const double coefficient : {s.b0, s.b1, s.b2, s.a1, s.a2})
    if (!std::isfinite(coefficient)) return false;
  return pole_radius(s) < 1;
}

std::complex<double> response(std::span<const Section> sections, double hz, double sample_rate_hz) noexcept {
  const std::complex<double> back = std::polar(1.0, -2 * std::numbers::pi * hz / sample_rate_hz);  // z^-1
  std::complex<double> product = 1;
  for (const Section& s : sections)
    product *= (s.b0 + back * (s.b1 + back * s.b2)) / (1.0 + back * (s.a1 + back * s.a2));
  return product;
}

double response_db(std::span<const Section> sections, double hz, double sample_rate_hz) noexcept {
  return 20 * std::log10(std::abs(response(sections, hz, sample_rate_hz)));
}

void require_stable(std::span<const Section> sections) {
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const Section& s = sections[i];
    const std::string name = "section " + std::to_string(i);
    for (const double coefficient : {s.b0, s.b1, s.b2, s.a1, s.a2})
      if (!std::isfinite(coefficient)) throw InvalidArgument(name + " has a coefficient that is not finite");
    if (const double radius = pole_radius(s); !(radius < 1))
      throw InvalidArgument(name + " has a pole of radius " + std::to_string(radius) +
                            ", which is not inside the unit circle: the filter would never come to rest");
  }
}

}  // namespace ringwave::dsp
