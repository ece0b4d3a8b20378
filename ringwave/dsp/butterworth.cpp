// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/butterworth.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

/// tan(w/2), the cutoff on the analogue side.
double prewarped(int order, double cutoff_hz, double sample_rate_hz) {
  if (order < 1 || order > 64 || !(cutoff_hz > 0 && cutoff_hz < sample_rate_hz / 2))
    throw InvalidArgument("a Butterworth filter of order " + std::to_string(order) + " at " +
                          std::to_string(cutoff_hz) + " Hz was asked for at a rate of " +
                          std::to_string(sample_rate_hz) +
                          " Hz; use an order from 1 to 64 and a cutoff below half the rate");
  return std::tan(std::numbers::pi * cutoff_hz / sample_rate_hz);
}

/// The poles of one conjugate pair, shared by low- and high-pass: g^2 + 2 g cos(theta) + 1 normalises.
Section second_order(double g, double cosine, bool highpass) {
  const double norm = 1 / (1 + 2 * g * cosine + g * g);
  const double b0 = highpass ? norm : g * g * norm;
  return {b0, highpass ? -2 * b0 : 2 * b0, b0, 2 * (g * g - 1) * norm, (1 - 2 * g * cosine + g * g) * norm};
}

Section first_order(double g, bool highpass) {
  const double norm = 1 / (1 + g);
  const double b0 = highpass ? norm : g * norm;
  return {b0, highpass ? -b0 : b0, 0, (g - 1) * norm, 0};
}

std::vector<Section> sections(int order, double g, bool highpass) {
  std::vector<Section> made;
  for (int pair = 0; pair < order / 2; ++pair) {
    const double theta =
        std::numbers::pi * (2 * pair + 1) / (2 * order);  // of the pole, from the imaginary axis
    made.push_back(second_order(g, std::sin(theta), highpass));
  }
  if (order % 2 == 1) made.push_back(first_order(g, highpass));
  return made;
}

/// The section with these two analogue poles, conjugate or both real, a zero at 0 Hz and one at half the
/// rate; 1 at `center`, a frequency of the analogue side.
Section band(std::complex<double> pole, std::complex<double> other, double center) {
  const double sum = (pole + other).real();
  const double product = (pole * other).real();
  const double a0 = 1 - sum + product;
  const std::complex<double> s(0, center);
  const double gain = std::abs((s - pole) * (s - other) / s) / a0;
  return {gain, 0, -gain, 2 * (product - 1) / a0, (1 + sum + product) / a0};
}

}  // namespace

std::vector<Section> butterworth_bandpass(int order, double low_hz, double high_hz, double sample_rate_hz) {
  const double low = prewarped(order, low_hz, sample_rate_hz);
  const double high = prewarped(order, high_hz, sample_rate_hz);
  if (!(low < high))
    throw InvalidArgument("a band from " + std::to_string(low_hz) + " to " + std::to_string(high_hz) +
                          " Hz was asked for; use edges that ascend");
  std::vector<Section> made;
  for (int k = 0; 2 * k < order; ++k) {
    // s of the low-pass is (s^2 + low high) / (s (high - low)) of the band: each of its poles becomes two.
    const double theta = std::numbers::pi * (2 * k + 1) / (2 * order);
    const bool real = 2 * k + 1 == order;
    const std::complex<double> half =
        std::complex<double>(-std::sin(theta), real ? 0 : std::cos(theta)) * (high - low) / 2.0;
    const std::complex<double> root = std::sqrt(half * half - low * high);
    const double center = std::sqrt(low * high);
    if (real) {
      made.push_back(band(half + root, half - root, center));
    } else {
      made.push_back(band(half + root, std::conj(half + root), center));
      made.push_back(band(half - root, std::conj(half - root), center));
    }
  }
  return made;
}

std::vector<Section> butterworth_lowpass(int order, double cutoff_hz, double sample_rate_hz) {
  return sections(order, prewarped(order, cutoff_hz, sample_rate_hz), false);
}

std::vector<Section> butterworth_highpass(int order, double cutoff_hz, double sample_rate_hz) {
  return sections(order, prewarped(order, cutoff_hz, sample_rate_hz), true);
}

}  // namespace ringwave::dsp
