// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "ringwave/dsp/sinc.hpp"
#include "ringwave/dsp/window.hpp"

namespace ringwave::dsp {

/// Sets the taps, for the newest sample first, that read a signal at 1/4, 1/2 and 3/4 of the way between the
/// two samples in the middle of the last kTaps: a sinc in a Kaiser window whose side lobes are under
/// -60 dB. What is constant is read as it is. [setup]
template <std::size_t kTaps>
void set_quarter_taps(float (&taps)[3][kTaps]) {
  static_assert(kTaps % 2 == 0, "there are two samples in the middle");
  constexpr double kBeta = 6;
  constexpr double kReach = static_cast<double>(kTaps) / 2;
  for (int phase = 0; phase < 3; ++phase) {
    double values[kTaps];
    double sum = 0;
    for (std::size_t i = 0; i < kTaps; ++i) {
      const double away = static_cast<double>(i) - kReach + (phase + 1) / 4.0;
      values[i] = sinc(away) * kaiser(away / kReach, kBeta);
      sum += values[i];
    }
    for (std::size_t i = 0; i < kTaps; ++i) taps[phase][i] = static_cast<float>(values[i] / sum);
  }
}

}  // namespace ringwave::dsp
