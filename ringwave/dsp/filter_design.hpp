// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/dsp/section.hpp"

/// Single sections by their purpose. Each is an analogue prototype of second order, with its corner at s = i,
/// carried over by the bilinear transform  s = (1 - z^-1) / (g (1 + z^-1)),  g = tan(pi corner / rate),  so
/// that what happens at the corner happens there exactly. The curves are those of R. Bristow-Johnson's
/// cookbook.
///
/// All throw InvalidArgument unless 0 < corner < half the rate, q > 0 and a gain is within 120 dB, and for
/// what is not a number; every section that they return is stable.
namespace ringwave::dsp {

/// Half power at the corner where q is 1/sqrt(2):  1 / (s^2 + s/q + 1),  at the corner |H| = q. [setup]
[[nodiscard]] Section lowpass(double cutoff_hz, double q, double sample_rate_hz);

/// Its mirror:  s^2 / (s^2 + s/q + 1). [setup]
[[nodiscard]] Section highpass(double cutoff_hz, double q, double sample_rate_hz);

/// 0 dB at the centre:  (s/q) / (s^2 + s/q + 1). [setup]
[[nodiscard]] Section bandpass(double center_hz, double q, double sample_rate_hz);

/// Nothing at the centre, all far from it:  (s^2 + 1) / (s^2 + s/q + 1). [setup]
[[nodiscard]] Section notch(double center_hz, double q, double sample_rate_hz);

/// Every frequency as loud as before, half a turn of phase at the centre:  (s^2 - s/q + 1) / (s^2 + s/q + 1).
/// [setup]
[[nodiscard]] Section allpass(double center_hz, double q, double sample_rate_hz);

/// `gain_db` at the centre, 0 dB far from it:  (s^2 + s A/q + 1) / (s^2 + s/(A q) + 1)  with A = 10^(dB/40).
/// The negative gain is the inverse filter. [setup]
[[nodiscard]] Section peaking(double center_hz, double q, double gain_db, double sample_rate_hz);

/// `gain_db` below the corner, 0 dB above it, half of the decibels at it:
/// A (s^2 + s sqrt(A)/q + A) / (A s^2 + s sqrt(A)/q + 1). [setup]
[[nodiscard]] Section low_shelf(double corner_hz, double q, double gain_db, double sample_rate_hz);

/// The same above the corner. [setup]
[[nodiscard]] Section high_shelf(double corner_hz, double q, double gain_db, double sample_rate_hz);

/// The q of a band-pass whose half-power points, a notch's, or a peak's points of half its decibels, lie
/// `octaves` apart. Throws InvalidArgument unless octaves > 0. [setup]
[[nodiscard]] double q_of_bandwidth(double octaves, double center_hz, double sample_rate_hz);

/// The q of a shelf of that slope: 1 is the steepest that never overshoots. Throws InvalidArgument unless
/// 0 < slope <= 1. [setup]
[[nodiscard]] double q_of_slope(double slope, double gain_db);

/// y[n] = y[n-1] + (1 - p) (x[n] - y[n-1]):  -3.01 dB at the cutoff, 1 at 0 Hz, the smoother of control
/// signals: it never overshoots. [setup]
[[nodiscard]] Section one_pole_lowpass(double cutoff_hz, double sample_rate_hz);

/// y[n] = (1 + p)/2 (x[n] - x[n-1]) + p y[n-1]:  -3.01 dB at the cutoff, nothing at 0 Hz, 1 at half the rate.
/// [setup]
[[nodiscard]] Section one_pole_highpass(double cutoff_hz, double sample_rate_hz);

/// Takes an offset away and nothing that one hears: a one-pole high-pass at 5 Hz, -0.26 dB at 20 Hz. [setup]
[[nodiscard]] Section dc_blocker(double sample_rate_hz);

}  // namespace ringwave::dsp
