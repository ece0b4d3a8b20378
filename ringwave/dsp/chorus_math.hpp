// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/dsp/delay_line_math.hpp"

namespace ringwave::dsp {

/// The rule of Chorus.
struct ChorusRule {
  static constexpr bool kRemembers = true;
  static constexpr int kKnobs = 5;
  struct Constants {
    double knobs[kKnobs] = {};  ///< delay and depth in frames, dry, wet of a voice, spread in turns
    double glide = 1;           ///< share of the way to a new value that is gone in a frame
    unsigned turn = 0;          ///< of the phase in a frame
    int voices = 1;
    int size = 8;  ///< of the line

    [[nodiscard]] int line_samples() const { return size; }
  };
  struct State {
    double knobs[kKnobs] = {};
    unsigned phase = 0;
    int newest = 0;
    bool started = false;
  };

  [[nodiscard]] RW_HOST_DEVICE static float step(const Constants& c, State& state, Line line, int channel,
                                                 float x) {
    for (int i = 0; i < kKnobs; ++i)
      state.knobs[i] += (state.started ? c.glide : 1.0) * (c.knobs[i] - state.knobs[i]);
    state.started = true;
    const double aside = channel % 2 == 0 ? 0.0 : state.knobs[4];
    double sum = 0;
    for (int voice = 0; voice < c.voices; ++voice) {
      const double turns = static_cast<double>(state.phase) * (1 / 4294967296.0) +
                           static_cast<double>(voice) / c.voices + aside;
      const double frames = state.knobs[0] + state.knobs[1] * approx::sine(turns);
      sum += read_between(line, c.size, state.newest, frames < 2 ? 2 : frames);
    }
    state.phase += c.turn;
    state.newest = state.newest + 1 == c.size ? 0 : state.newest + 1;
    line[state.newest] = x;
    return static_cast<float>(state.knobs[2] * static_cast<double>(x) + state.knobs[3] * sum);
  }
};

}  // namespace ringwave::dsp
