// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/synth/knob_math.hpp"

namespace ringwave::synth {

/// The rule of a station's ceiling, a limiter by chunks. The true peak of every chunk says which gain it may
/// have at most; between two chunks the smaller of both holds; the least of the next kAhead of these,
/// after a release, averaged over the last kAhead, is where the gain is at that border. It goes from border
/// to border in a straight line. So it is never above what a chunk may have, and it comes down kAhead chunks
/// before a peak. Output is kLatency frames late.
struct CeilingRule {
  static constexpr int kReach = 6;  ///< samples on either side of an interpolated point
  static constexpr int kAhead = 4;
  static constexpr int kRing = 256;  ///< frames of the past, of each side
  static constexpr int kLatency = kReach + (kAhead + 1) * kChunkFrames;
  static constexpr int kFloats = 4 * kRing;  ///< of a station: all lies there twice, to be read in one go
  static_assert(kLatency + kChunkFrames < kRing);

  /// Of a sample rate.
  struct Rates {
    float taps[3][2 * kReach] = {};  ///< of the points at 1/4, 1/2 and 3/4, for the newest sample first
    float release = 1;               ///< share of the way up that is gone in a chunk
  };
  struct Constants {
    float ceiling = 1;
  };
  struct State {
    float peak = 0;                        ///< of the chunk so far
    float may = 1;                         ///< what the chunk before may have
    float borders[kAhead] = {1, 1, 1, 1};  ///< the newest first
    float released[kAhead] = {1, 1, 1, 1};
    Knob gain{1, 1};
  };

  /// The sample of a frame, by its number on the clock.
  RW_HOST_DEVICE static void write(float* memory, unsigned clock, StereoFrame x) {
    float* const place = memory + clock % kRing;
    place[0] = place[kRing] = x.left;
    place[2 * kRing] = place[3 * kRing] = x.right;
  }

  /// The true peak from kReach frames before a frame to one after that.
  [[nodiscard]] RW_HOST_DEVICE static float true_peak(const Rates& rates, const float* memory,
                                                      unsigned clock) {
    float peak = 0;
    for (int side = 0; side < 2; ++side) {
      const float* const newest = memory + 2 * side * kRing + clock % kRing + kRing;
      float points[3] = {};
      float sample = 0;
      for (int i = 0; i < 2 * kReach; ++i) {
        const float x = *(newest - i);
        for (int p = 0; p < 3; ++p) points[p] += rates.taps[p][i] * x;
        if (i == kReach) sample = x;
      }
      peak = larger(peak, absolute(sample));
      for (const float point : points) peak = larger(peak, absolute(point));
    }
    return peak;
  }

  /// What is heard at a frame, before its gain. Written long before: the frames of a chunk need not be there.
  [[nodiscard]] RW_HOST_DEVICE static StereoFrame late(const float* memory, unsigned clock) {
    const unsigned place = (clock - kLatency) % kRing;
    return {memory[place], memory[2 * kRing + place]};
  }

  /// What is heard at a frame.
  [[nodiscard]] RW_HOST_DEVICE static StereoFrame heard(const State& state, StereoFrame late,
                                                        unsigned clock) {
    const float way = static_cast<float>(static_cast<int>(clock % kChunkFrames)) * (1.0F / kChunkFrames);
    const float gain = state.gain.from + (state.gain.to - state.gain.from) * way;
    return {gain * late.left, gain * late.right};
  }

  /// A chunk has ended; state.peak is its own.
  RW_HOST_DEVICE static void advance(const Rates& rates, const Constants& c, State& state) {
    const float may = state.peak > c.ceiling ? c.ceiling / state.peak : 1.0F;
    float least = may < state.may ? may : state.may;
    const float newest = least;
    state.may = may;
    state.peak = 0;
    for (int i = kAhead - 1; i > 0; --i) state.borders[i] = state.borders[i - 1];
    state.borders[0] = newest;
    for (int i = 1; i < kAhead; ++i) least = state.borders[i] < least ? state.borders[i] : least;
    const float before = state.released[0];
    for (int i = kAhead - 1; i > 0; --i) state.released[i] = state.released[i - 1];
    state.released[0] = least < before ? least : before + rates.release * (least - before);
    float sum = 0;
    for (int i = 0; i < kAhead; ++i) sum += state.released[i];
    state.gain.from = state.gain.to;
    state.gain.to = sum * (1.0F / kAhead);
  }

 private:
  [[nodiscard]] RW_HOST_DEVICE static float absolute(float x) { return x < 0 ? -x : x; }
  [[nodiscard]] RW_HOST_DEVICE static float larger(float a, float b) { return a > b ? a : b; }
};

}  // namespace ringwave::synth
