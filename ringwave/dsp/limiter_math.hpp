// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/dsp/channel_rule.hpp"

namespace ringwave::dsp {

/// The rule of Limiter. In a line of zeros, which is rest, a gain of 0 stands for 1.
///
/// A line holds, one after the other: the last samples; the candidates for the smallest gain, each with
/// the frame it came in (a queue whose values rise, so that its front is the smallest); the last `lookahead`
/// gains. What they lack of 1 is summed in whole numbers of 2^-44, so that the sum never drifts.
struct LimiterRule {
  static constexpr bool kRemembers = true;
  static constexpr int kReach = 16;  // samples on either side of an interpolated point
  static constexpr int kPeriod =
      1 << 20;  // of the count of frames: a float holds it, and no window is longer
  struct Constants {
    float ceiling = 1;
    double release = 1;  ///< share that is let go of in a frame
    int lookahead = kReach;
    float taps[3][2 * kReach] = {};  ///< of the points at 1/4, 1/2 and 3/4, for the newest sample first

    [[nodiscard]] RW_HOST_DEVICE int latency() const { return lookahead - 1 + kReach; }
    [[nodiscard]] RW_HOST_DEVICE int window() const { return lookahead + 1; }
    [[nodiscard]] RW_HOST_DEVICE int history() const { return lookahead + kReach; }
    [[nodiscard]] RW_HOST_DEVICE int line_samples() const { return history() + 2 * window() + lookahead; }
  };
  struct State {
    long long sum = 0;     ///< of what the last gains lack of 1
    double reduction = 0;  ///< 1 - gain, before the average
    float before = 0;      ///< the point at 3/4 of the interval before
    int newest = 0;        ///< place of the newest sample
    int first = 0;         ///< of the queue
    int count = 0;
    int now = 0;     ///< frames, modulo kPeriod
    int oldest = 0;  ///< place of the oldest gain
  };

  /// The top of a parabola over three points; of a slope, not less than its middle.
  [[nodiscard]] RW_HOST_DEVICE static float crest(float a, float b, float c) {
    const float sign = b < 0 ? -1.0F : 1.0F;
    const float left = sign * (b - a);
    const float right = sign * (b - c);
    const float p = left > 0 ? left : 0.0F;
    const float q = right > 0 ? right : 0.0F;
    return sign * b + (p + q > 0 ? (p - q) * (p - q) / (8 * (p + q)) : 0.0F);
  }

  /// The true peak between the two samples in the middle of the last 2 kReach.
  [[nodiscard]] RW_HOST_DEVICE static float true_peak(const Constants& c, State& state, Line history) {
    float point[3] = {};
    float left = 0, right = 0;
    int place = state.newest;
    for (int i = 0; i < 2 * kReach; ++i) {
      const float x = history[place];
      for (int phase = 0; phase < 3; ++phase) point[phase] += c.taps[phase][i] * x;
      if (i == kReach - 1) right = x;
      if (i == kReach) left = x;
      place = place == 0 ? c.history() - 1 : place - 1;
    }
    float peak = crest(state.before, left, point[0]);
    const float others[3] = {crest(left, point[0], point[1]), crest(point[0], point[1], point[2]),
                             crest(point[1], point[2], right)};
    for (const float other : others) peak = other > peak ? other : peak;
    state.before = point[2];
    return peak;
  }

  /// The smallest of the last window() values, this one included.
  [[nodiscard]] RW_HOST_DEVICE static float smallest(const Constants& c, State& state, Line values,
                                                     Line stamps, float value) {
    const int window = c.window();
    state.now = (state.now + 1) % kPeriod;
    if (state.count > 0 &&
        (state.now - static_cast<int>(stamps[state.first]) + kPeriod) % kPeriod >= window) {
      state.first = (state.first + 1) % window;
      --state.count;
    }
    while (state.count > 0 && values[(state.first + state.count - 1) % window] >= value) --state.count;
    const int place = (state.first + state.count) % window;
    values[place] = value;
    stamps[place] = static_cast<float>(state.now);
    ++state.count;
    return values[state.first];
  }

  static constexpr long long kOne = 1LL << 44;

  /// What a gain from a line lacks of 1, in 1 / kOne.
  [[nodiscard]] RW_HOST_DEVICE static long long lack(float gain) {
    return gain == 0 ? 0
                     : kOne - static_cast<long long>(static_cast<double>(gain) * static_cast<double>(kOne));
  }

  [[nodiscard]] RW_HOST_DEVICE static float step(const Constants& c, State& state, Line line, int /*channel*/,
                                                 float x) {
    const Line values{&line[c.history()], line.stride};
    const Line stamps{&values[c.window()], line.stride};
    const Line gains{&stamps[c.window()], line.stride};
    state.newest = state.newest + 1 == c.history() ? 0 : state.newest + 1;
    line[state.newest] = x;
    const float peak = true_peak(c, state, line);
    const float wanted = smallest(c, state, values, stamps, peak > c.ceiling ? c.ceiling / peak : 1.0F);
    const double goal = 1 - static_cast<double>(wanted);
    state.reduction = goal > state.reduction ? goal : state.reduction + c.release * (goal - state.reduction);
    const auto now = static_cast<float>(1 - state.reduction);
    state.sum += lack(now) - lack(gains[state.oldest]);
    gains[state.oldest] = now;
    state.oldest = state.oldest + 1 == c.lookahead ? 0 : state.oldest + 1;
    const long long whole = kOne * c.lookahead;
    const double gain = static_cast<double>(whole - state.sum) / static_cast<double>(whole);
    const int late = state.newest - c.latency();
    return static_cast<float>(gain * static_cast<double>(line[late < 0 ? late + c.history() : late]));
  }
};

}  // namespace ringwave::dsp
