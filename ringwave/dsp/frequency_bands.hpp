// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace ringwave::dsp {

/// A part of the spectrum, from one edge to the next.
struct FrequencyBand {
  double low_hz = 0;
  double centre_hz = 0;  ///< by ear: the geometric mean of the edges
  double high_hz = 0;

  friend bool operator==(const FrequencyBand&, const FrequencyBand&) = default;
};

/// `count` bands of the same width by ear, side by side from `lowest_hz` to `highest_hz`. Throws
/// InvalidArgument unless 0 < lowest_hz < highest_hz, finite, and 1 <= count <= 4096. [setup]
[[nodiscard]] std::vector<FrequencyBand> even_bands(int count, double lowest_hz, double highest_hz);

/// The third-octave bands of IEC 61260 whose centres lie from `lowest_hz` to `highest_hz`, or within 2 % of
/// that, so that nominal centres do as well: 1000 Hz times 10^(n/10), with edges a twentieth of a decade
/// away. Throws InvalidArgument unless 0.001 <= lowest_hz <= highest_hz <= 1e7 and there is one. [setup]
[[nodiscard]] std::vector<FrequencyBand> third_octave_bands(double lowest_hz = 20, double highest_hz = 20000);

}  // namespace ringwave::dsp
