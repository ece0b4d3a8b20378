// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/dsp/approx_math.hpp"
#include "ringwave/dsp/channel_rule.hpp"

namespace ringwave::dsp {

/// The rule of SoftClip.
struct SoftClipRule {
  static constexpr bool kRemembers = false;
  struct Constants {
    double drive = 1;
    double knee = 0;
    double room = 1;  ///< from the knee to the ceiling
  };
  struct State {};

  [[nodiscard]] RW_HOST_DEVICE static float step(const Constants& c, State& /*state*/, Line /*line*/,
                                                 int /*channel*/, float x) {
    const double d = c.drive * static_cast<double>(x);
    const double size = d < 0 ? -d : d;
    if (size <= c.knee) return static_cast<float>(d);
    const double bent = c.knee + c.room * approx::tanh((size - c.knee) / c.room);
    return static_cast<float>(d < 0 ? -bent : bent);
  }
};

}  // namespace ringwave::dsp
