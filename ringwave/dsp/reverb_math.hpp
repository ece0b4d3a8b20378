// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/dsp/delay_line_math.hpp"

namespace ringwave::dsp {

/// The rule of Reverb.
struct ReverbRule {
  static constexpr bool kRemembers = true;
  static constexpr int kLines = 8;
  /// Knobs: the gain of each line, then these.
  static constexpr int kBright = kLines;  // share of a sample that the low-pass takes in a frame
  static constexpr int kDry = kLines + 1;
  static constexpr int kCommon = kLines + 2;  // what every channel hears of each line
  static constexpr int kOwn = kLines + 3;     // and what even or odd ones do, with its sign
  static constexpr int kKnobs = kLines + 4;
  struct Constants {
    double knobs[kKnobs] = {};
    double glide = 1;         ///< share of the way to a new value that is gone in a frame
    int frames[kLines] = {};  ///< of each line

    [[nodiscard]] int line_samples() const {
      int sum = 0;
      for (const int length : frames) sum += length;
      return sum;
    }
  };
  struct State {
    double knobs[kKnobs] = {};
    double low[kLines] = {};  ///< the low-passes
    int place[kLines] = {};   ///< in each line: of the oldest sample, which the newest takes
    bool started = false;
  };

  /// The sign with which even channels hear a line, or odd ones: two rows of Hadamard's matrix, orthogonal to
  /// each other and to the row of ones.
  [[nodiscard]] RW_HOST_DEVICE static double sign(int line, int channel) {
    return (line >> (channel % 2)) % 2 == 0 ? 1.0 : -1.0;
  }

  [[nodiscard]] RW_HOST_DEVICE static float step(const Constants& c, State& state, Line line, int channel,
                                                 float x) {
    for (int i = 0; i < kKnobs; ++i)
      state.knobs[i] += (state.started ? c.glide : 1.0) * (c.knobs[i] - state.knobs[i]);
    state.started = true;
    double turned_back[kLines];
    double sum = 0;
    double heard = 0;
    int first = 0;
    for (int i = 0; i < kLines; ++i) {
      const auto oldest = static_cast<double>(line[first + state.place[i]]);
      heard += (state.knobs[kCommon] + state.knobs[kOwn] * sign(i, channel)) * oldest;
      state.low[i] += state.knobs[kBright] * (oldest - state.low[i]);
      turned_back[i] = state.knobs[i] * state.low[i];
      sum += turned_back[i];
      first += c.frames[i];
    }
    first = 0;
    for (int i = 0; i < kLines; ++i) {
      const double fresh = i % 3 == 0 ? static_cast<double>(x) : -static_cast<double>(x);
      line[first + state.place[i]] = kept(fresh + turned_back[i] - sum * (2.0 / kLines));
      state.place[i] = state.place[i] + 1 == c.frames[i] ? 0 : state.place[i] + 1;
      first += c.frames[i];
    }
    return static_cast<float>(state.knobs[kDry] * static_cast<double>(x) + heard);
  }
};

}  // namespace ringwave::dsp
