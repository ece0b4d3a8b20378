// SPDX-License-Identifier: Apache-2.0
#include "tests/parity/oracle.hpp"

#include <cmath>
#include <numbers>

namespace ringwave::parity {

std::vector<double> filtered(std::span<const dsp::Section> sections, std::span<const float> in) {
  std::vector<double> signal(in.begin(), in.end());
  for (const dsp::Section& s : sections) {
    double x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (double& sample : signal) {
      const double x = sample;
      const double y = s.b0 * x + s.b1 * x1 + s.b2 * x2 - s.a1 * y1 - s.a2 * y2;
      x2 = x1;
      x1 = x;
      y2 = y1;
      y1 = y;
      sample = y;
    }
  }
  return signal;
}

dsp::Section resonance(double hz, double q, double sample_rate_hz) {
  const double w = 2 * std::numbers::pi * hz / sample_rate_hz;
  const double alpha = std::sin(w) / (2 * q);
  const double a0 = 1 + alpha;
  return {alpha / a0, 0, -alpha / a0, -2 * std::cos(w) / a0, (1 - alpha) / a0};
}

}  // namespace ringwave::parity
