// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/synth/knob_math.hpp"

namespace ringwave::synth {

/// The rule of a station's bass and treble: shelves of the first order, as on a hi-fi.
///
///   y = x + (bass - 1) low(x)        z = y + (treble - 1) (y - low'(y))
///
/// where low and low' are one-pole low-passes by the trapezoidal rule.
struct ToneRule {
  static constexpr double kBassHz = 150;
  static constexpr double kTrebleHz = 5000;

  /// Of a sample rate.
  struct Rates {
    float bass = 0;  ///< g / (1 + g), g = tan(pi f / rate)
    float treble = 0;
    float glide = 1;  ///< share of the way to a new setting that is gone in a chunk
  };
  struct Constants {
    float bass = 1;
    float treble = 1;
  };
  /// Of one channel.
  struct State {
    Knob bass{};
    Knob treble{};
    float low = 0;
    float low_of_treble = 0;
  };

  RW_HOST_DEVICE static void start(const Constants& c, State& state) {
    state = State{};
    state.bass.jump(c.bass);
    state.treble.jump(c.treble);
  }

  RW_HOST_DEVICE static void advance(const Rates& rates, const Constants& c, State& state) {
    state.bass.advance(c.bass, rates.glide);
    state.treble.advance(c.treble, rates.glide);
  }

  [[nodiscard]] RW_HOST_DEVICE static float step(const Rates& rates, State& state, int frame, float x) {
    const float y = with_bass(state, frame, x, low_pass(rates.bass, state.low, x));
    return with_treble(state, frame, y, low_pass(rates.treble, state.low_of_treble, y));
  }

  // A step in four, for those who do all but what goes from frame to frame of many at once.

  [[nodiscard]] RW_HOST_DEVICE static float low_pass(float share, float& memory, float x) {
    const float v = share * (x - memory);
    const float low = memory + v;
    memory = low + v;
    return low;
  }

  [[nodiscard]] RW_HOST_DEVICE static float with_bass(const State& state, int frame, float x, float low) {
    return x + (state.bass.at(frame) - 1) * low;
  }

  [[nodiscard]] RW_HOST_DEVICE static float with_treble(const State& state, int frame, float y, float low) {
    return y + (state.treble.at(frame) - 1) * (y - low);
  }
};

}  // namespace ringwave::synth
