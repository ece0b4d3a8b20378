// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/dsp/channel_rule.hpp"

namespace ringwave::dsp {

/// The rule of Gate. Whether it is open follows from comparisons of the samples alone, and its place from
/// sums alone: every device finds the same.
struct GateRule {
  static constexpr bool kRemembers = true;
  struct Constants {
    float open = 0;
    float close = 0;
    double floor = 0;
    double rise = 1;  ///< of the place, in a frame
    double fall = 1;
    int hold_frames = 0;
  };
  struct State {
    double place = 0;  ///< 0: closed, 1: open
    int hold = 0;      ///< frames that it still stays open
    bool open = false;
  };

  [[nodiscard]] RW_HOST_DEVICE static float step(const Constants& c, State& state, Line /*line*/,
                                                 int /*channel*/, float x) {
    const float loud = x < 0 ? -x : x;
    if (loud >= (state.open ? c.close : c.open)) {
      state.open = true;
      state.hold = c.hold_frames;
    } else if (state.hold > 0) {
      --state.hold;
    } else {
      state.open = false;
    }
    const double next = state.place + (state.open ? c.rise : -c.fall);
    state.place = next < 0 ? 0 : (next > 1 ? 1 : next);
    if (state.place >= 1) return x;
    return static_cast<float>((c.floor + (1 - c.floor) * state.place) * static_cast<double>(x));
  }
};

}  // namespace ringwave::dsp
