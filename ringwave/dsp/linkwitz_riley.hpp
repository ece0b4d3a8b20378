// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ringwave/dsp/section.hpp"

namespace ringwave::dsp {

/// The low half of a Linkwitz-Riley crossover: a Butterworth low-pass of half the order, twice; -6 dB at
/// `crossover_hz`, 6 dB an octave and order beyond it. Throws InvalidArgument unless the order is even and
/// from 2 to 128 and 0 < crossover < half the rate. [setup]
[[nodiscard]] std::vector<Section> linkwitz_riley_lowpass(int order, double crossover_hz,
                                                          double sample_rate_hz);

/// The high half, which is turned around where half the order is odd, so that for every order
/// low + high  is an all-pass: as loud as before at every frequency. [setup]
[[nodiscard]] std::vector<Section> linkwitz_riley_highpass(int order, double crossover_hz,
                                                           double sample_rate_hz);

}  // namespace ringwave::dsp
