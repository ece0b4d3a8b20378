// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/dsp/delay_line_math.hpp"

namespace ringwave::dsp {

/// The rule of Delay.
struct DelayRule {
  static constexpr bool kRemembers = true;
  static constexpr int kKnobs = 5;
  struct Constants {
    double knobs[kKnobs] = {};  ///< time and depth in frames, feedback, dry, wet
    double glide = 1;           ///< share of the way to a new value that is gone in a frame
    unsigned turn = 0;          ///< of the phase in a frame
    int size = 8;               ///< of the line

    [[nodiscard]] int line_samples() const { return size; }
  };
  struct State {
    double knobs[kKnobs] = {};
    unsigned phase = 0;
    int newest = 0;
    bool started = false;
  };

  [[nodiscard]] RW_HOST_DEVICE static float step(const Constants& c, State& state, Line line, int /*channel*/,
                                                 float x) {
    for (int i = 0; i < kKnobs; ++i)
      state.knobs[i] += (state.started ? c.glide : 1.0) * (c.knobs[i] - state.knobs[i]);
    state.started = true;
    const double frames = state.knobs[0] + state.knobs[1] * turned(state.phase);
    state.phase += c.turn;
    const double echo = read_between(line, c.size, state.newest, frames < 2 ? 2 : frames);
    state.newest = state.newest + 1 == c.size ? 0 : state.newest + 1;
    line[state.newest] = kept(static_cast<double>(x) + state.knobs[2] * echo);
    return static_cast<float>(state.knobs[3] * static_cast<double>(x) + state.knobs[4] * echo);
  }
};

}  // namespace ringwave::dsp
