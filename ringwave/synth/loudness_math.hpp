// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/synth/knob_math.hpp"
#include "ringwave/synth/svf_math.hpp"

namespace ringwave::synth {

/// The rule of a station's loudness: the mean power after ITU-R BS.1770's weighting, over the last minutes,
/// says which gain would bring it to the target. It is looked at once a hop, and what was found in one is
/// heard from the second after on, in a straight line: so a block of up to a hop never waits for it.
struct LoudnessRule {
  static constexpr int kHopFrames = 4096;
  static constexpr int kHopChunks = kHopFrames / kChunkFrames;
  static constexpr double kGuessSeconds = 20;    ///< what the first guess weighs
  static constexpr double kMemorySeconds = 180;  ///< what a hop is averaged with
  static constexpr float kFloor = 1e-7F;         ///< of a hop's mean power that counts: -70 LUFS

  /// Of a sample rate.
  struct Rates {
    SvfRule::Constants shelf{};
    SvfRule::Constants high_pass{};
    float shelf_high = 1;  ///< the gains of the shelf's outputs
    float shelf_band = 1;
    float high_pass_gain = 1;
    float guess_hops = 1;
    float memory_hops = 1;
  };
  struct Constants {
    float target = 0;  ///< mean power; 0: the gain stays 1
    float guess = 1;   ///< of the mean power before anything was heard
  };
  /// Of one side.
  struct Side {
    SvfRule::State shelf{};
    SvfRule::State high_pass{};
    float energy = 0;  ///< of the hop so far
  };
  struct State {
    float mean = 0;  ///< of the hops that count
    float hops = 0;
    float all = 0;  ///< mean of every hop that is no silence
    float all_hops = 0;
    float gains[4] = {1, 1, 1, 1};  ///< at the end of a hop, by its number modulo 4
  };

  RW_HOST_DEVICE static void start(const Rates& rates, const Constants& c, State& state) {
    state = State{};
    state.mean = c.guess;
    state.hops = rates.guess_hops;
    for (float& gain : state.gains) gain = gain_of(c, state);
  }

  /// Of the filters, for who does many steps.
  struct Gains {
    RW_HOST_DEVICE explicit Gains(const Rates& rates)
        : shelf(SvfRule::gains_of(rates.shelf)), high_pass(SvfRule::gains_of(rates.high_pass)) {}

    SvfRule::Gains shelf;
    SvfRule::Gains high_pass;
  };

  RW_HOST_DEVICE static void step(const Rates& rates, Side& side, float x) {
    step(rates, Gains(rates), side, x);
  }

  RW_HOST_DEVICE static void step(const Rates& rates, const Gains& gains, Side& side, float x) {
    const SvfRule::Out shelf = SvfRule::out_of(rates.shelf, x, SvfRule::advance(gains.shelf, side.shelf, x));
    const float y = rates.shelf_high * shelf.high + rates.shelf_band * shelf.band + shelf.low;
    const SvfRule::Poles poles = SvfRule::advance(gains.high_pass, side.high_pass, y);
    const float z = rates.high_pass_gain * SvfRule::out_of(rates.high_pass, y, poles).high;
    side.energy += z * z;
  }

  /// Hop `hop` has ended, with this energy on both sides together.
  RW_HOST_DEVICE static void advance(const Rates& rates, const Constants& c, State& state, unsigned hop,
                                     float energy) {
    const float power = energy * (1.0F / kHopFrames);
    if (power > kFloor) {
      average(rates, state.all, state.all_hops, power);
      if (power > kGate * state.all) average(rates, state.mean, state.hops, power);
    }
    state.gains[(hop + 2) % 4] = gain_of(c, state);
  }

  /// At a frame of the station's clock.
  [[nodiscard]] RW_HOST_DEVICE static float gain(const State& state, unsigned own) {
    const unsigned hop = own / kHopFrames;
    const float from = state.gains[(hop + 3) % 4];
    const auto way = static_cast<float>(static_cast<int>(own % kHopFrames)) * (1.0F / kHopFrames);
    return from + (state.gains[hop % 4] - from) * way;
  }

 private:
  static constexpr float kGate = 0.1F;  ///< 10 LU below the mean, as in the standard

  RW_HOST_DEVICE static void average(const Rates& rates, float& mean, float& hops, float power) {
    if (hops < rates.memory_hops) hops += 1;
    mean += (power - mean) / hops;
  }

  /// At most 20 dB either way.
  [[nodiscard]] RW_HOST_DEVICE static float gain_of(const Constants& c, const State& state) {
    if (c.target <= 0) return 1;
    const float square = c.target / state.mean;
    return root(square < 0.01F ? 0.01F : (square > 100 ? 100.0F : square));
  }

  /// The square root, by products alone, of 0.01 to 100: the same on both backends.
  [[nodiscard]] RW_HOST_DEVICE static float root(float x) {
    float y = 0.5F * (1 + x);
    for (int i = 0; i < 8; ++i) y = 0.5F * (y + x / y);
    return y;
  }
};

}  // namespace ringwave::synth
