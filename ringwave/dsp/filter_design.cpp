// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/filter_design.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

constexpr double kMostDecibels = 120;
constexpr double kDcCutoffHz = 5;

/// c2 s^2 + c1 s + c0.
struct Polynomial {
  double c2 = 0, c1 = 0, c0 = 0;
};

void require_corner(double hz, double sample_rate_hz) {
  if (!(hz > 0 && hz < sample_rate_hz / 2))
    throw InvalidArgument("a filter at " + std::to_string(hz) + " Hz was asked for at a rate of " +
                          std::to_string(sample_rate_hz) +
                          " Hz; use a frequency above 0 and below half the rate");
}

void require_gain(double gain_db) {
  if (!(std::abs(gain_db) <= kMostDecibels))
    throw InvalidArgument("a filter with a gain of " + std::to_string(gain_db) +
                          " dB was asked for; use -120 to 120 dB");
}

/// Numerator over denominator through the bilinear transform: each polynomial times (g (1 + z^-1))^2.
Section transformed(Polynomial over, Polynomial under, double hz, double q, double sample_rate_hz) {
  require_corner(hz, sample_rate_hz);
  if (!(q > 0 && std::isfinite(q)))
    throw InvalidArgument("a filter with a q of " + std::to_string(q) + " was asked for; use one above 0");
  const double g = std::tan(std::numbers::pi * hz / sample_rate_hz);
  const double gg = g * g;
  const double a0 = under.c2 + under.c1 * g + under.c0 * gg;
  const Section made{(over.c2 + over.c1 * g + over.c0 * gg) / a0, 2 * (over.c0 * gg - over.c2) / a0,
                     (over.c2 - over.c1 * g + over.c0 * gg) / a0, 2 * (under.c0 * gg - under.c2) / a0,
                     (under.c2 - under.c1 * g + under.c0 * gg) / a0};
  require_stable({&made, 1});  // a q of 1e300 puts the poles onto the circle
  return made;
}

double amplitude(double gain_db) {
  require_gain(gain_db);
  return std::pow(10, gain_db / 40);
}

Section times(double factor, Section section) {
  section.b0 *= factor;
  section.b1 *= factor;
  section.b2 *= factor;
  return section;
}

}  // namespace

Section lowpass(double cutoff_hz, double q, double sample_rate_hz) {
  return transformed({0, 0, 1}, {1, 1 / q, 1}, cutoff_hz, q, sample_rate_hz);
}

Section highpass(double cutoff_hz, double q, double sample_rate_hz) {
  return transformed({1, 0, 0}, {1, 1 / q, 1}, cutoff_hz, q, sample_rate_hz);
}

Section bandpass(double center_hz, double q, double sample_rate_hz) {
  return transformed({0, 1 / q, 0}, {1, 1 / q, 1}, center_hz, q, sample_rate_hz);
}

Section notch(double center_hz, double q, double sample_rate_hz) {
  return transformed({1, 0, 1}, {1, 1 / q, 1}, center_hz, q, sample_rate_hz);
}

Section allpass(double center_hz, double q, double sample_rate_hz) {
  return transformed({1, -1 / q, 1}, {1, 1 / q, 1}, center_hz, q, sample_rate_hz);
}

Section peaking(double center_hz, double q, double gain_db, double sample_rate_hz) {
  const double a = amplitude(gain_db);
  return transformed({1, a / q, 1}, {1, 1 / (a * q), 1}, center_hz, q, sample_rate_hz);
}

Section low_shelf(double corner_hz, double q, double gain_db, double sample_rate_hz) {
  const double a = amplitude(gain_db);
  const double slope = std::sqrt(a) / q;
  return times(a, transformed({1, slope, a}, {a, slope, 1}, corner_hz, q, sample_rate_hz));
}

Section high_shelf(double corner_hz, double q, double gain_db, double sample_rate_hz) {
  const double a = amplitude(gain_db);
  const double slope = std::sqrt(a) / q;
  return times(a, transformed({a, slope, 1}, {1, slope, a}, corner_hz, q, sample_rate_hz));
}

double q_of_bandwidth(double octaves, double center_hz, double sample_rate_hz) {
  require_corner(center_hz, sample_rate_hz);
  if (!(octaves > 0 && octaves <= 20))
    throw InvalidArgument("a bandwidth of " + std::to_string(octaves) +
                          " octaves was asked for; use one above 0 and at most 20");
  // On the analogue side 1/q = 2 sinh(ln 2 / 2 octaves); w / sin w stretches it as the transform does there.
  const double w = 2 * std::numbers::pi * center_hz / sample_rate_hz;
  return 1 / (2 * std::sinh(std::numbers::ln2 / 2 * octaves * w / std::sin(w)));
}

double q_of_slope(double slope, double gain_db) {
  if (!(slope > 0 && slope <= 1))
    throw InvalidArgument("a shelf of slope " + std::to_string(slope) +
                          " was asked for; use one above 0 and at most 1");
  const double a = amplitude(gain_db);
  return 1 / std::sqrt((a + 1 / a) * (1 / slope - 1) + 2);
}

Section one_pole_lowpass(double cutoff_hz, double sample_rate_hz) {
  require_corner(cutoff_hz, sample_rate_hz);
  // Half power at w:  2 (1-p)^2 = 1 - 2 p cos w + p^2,  solved with u = 1 - cos w = 2 sin^2(w/2), which keeps
  // the digits of a low cutoff.
  const double sine = std::sin(std::numbers::pi * cutoff_hz / sample_rate_hz);
  const double u = 2 * sine * sine;
  const double step = std::sqrt(u * (u + 2)) - u;  // 1 - p
  return {step, 0, 0, step - 1, 0};
}

Section one_pole_highpass(double cutoff_hz, double sample_rate_hz) {
  require_corner(cutoff_hz, sample_rate_hz);
  const double g = std::tan(std::numbers::pi * cutoff_hz / sample_rate_hz);
  return {1 / (1 + g), -1 / (1 + g), 0, (g - 1) / (g + 1), 0};
}

Section dc_blocker(double sample_rate_hz) {
  return one_pole_highpass(kDcCutoffHz, sample_rate_hz);
}

}  // namespace ringwave::dsp
