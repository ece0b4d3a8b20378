// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/dsp/approx_math.hpp"
#include "ringwave/dsp/channel_rule.hpp"

namespace ringwave::dsp {

/// The rule of Compressor. Levels are logarithms to base 2: 6.02 dB are 1.
struct CompressorRule {
  static constexpr bool kRemembers = true;
  struct Constants {
    double threshold = 0;
    double slope = 0;  ///< 1 - 1/ratio
    double knee = 0;
    double attack = 1;  ///< share of the way that is gone in a frame
    double release = 1;
    double makeup = 0;
    double makeup_glide = 1;
  };
  struct State {
    double reduction = 0;
    double makeup_left = 0;  ///< what a change of the makeup has still to go
    double makeup = 0;       ///< of the last frame
    bool started = false;
  };

  /// By how much a level shall be reduced.
  [[nodiscard]] RW_HOST_DEVICE static double wanted(const Constants& c, double level) {
    const double over = level - c.threshold;
    if (2 * over <= -c.knee) return 0;
    if (2 * over >= c.knee) return c.slope * over;
    const double inside = over + c.knee / 2;
    return c.slope * inside * inside / (2 * c.knee);
  }

  [[nodiscard]] RW_HOST_DEVICE static float step(const Constants& c, State& state, Line /*line*/,
                                                 int /*channel*/, float x) {
    const double loud = x < 0 ? -static_cast<double>(x) : static_cast<double>(x);
    const double target = loud > 1e-30 ? wanted(c, approx::log2(loud)) : 0.0;
    state.reduction += (target > state.reduction ? c.attack : c.release) * (target - state.reduction);
    if (state.started) state.makeup_left += c.makeup - state.makeup;
    state.started = true;
    state.makeup = c.makeup;
    state.makeup_left -= c.makeup_glide * state.makeup_left;
    return static_cast<float>(approx::exp2(c.makeup - state.makeup_left - state.reduction) *
                              static_cast<double>(x));
  }
};

}  // namespace ringwave::dsp
