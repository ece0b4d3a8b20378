// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ringwave/dsp/section.hpp"

namespace ringwave::dsp {

/// A Butterworth low-pass of any order as sections: -3 dB at `cutoff_hz`, 6 dB an octave and order beyond it,
/// by the bilinear transform with the cutoff prewarped. An odd order ends in a first-order section. Throws
/// InvalidArgument unless 1 <= order <= 64 and 0 < cutoff < half the rate. [setup]
[[nodiscard]] std::vector<Section> butterworth_lowpass(int order, double cutoff_hz, double sample_rate_hz);

/// The high-pass of the same kind. [setup]
[[nodiscard]] std::vector<Section> butterworth_highpass(int order, double cutoff_hz, double sample_rate_hz);

/// The band-pass of `order` poles at each edge: -3 dB at `low_hz` and at `high_hz`, 0 dB at the middle
/// between them, and `order` sections. Throws InvalidArgument unless 1 <= order <= 64 and 0 < low < high <
/// half the rate. [setup]
[[nodiscard]] std::vector<Section> butterworth_bandpass(int order, double low_hz, double high_hz,
                                                        double sample_rate_hz);

}  // namespace ringwave::dsp
