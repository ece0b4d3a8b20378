// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/core/scrambled.hpp"
#include "ringwave/synth/ceiling_math.hpp"
#include "ringwave/synth/loudness_math.hpp"
#include "ringwave/synth/space_math.hpp"
#include "ringwave/synth/station_effects.hpp"
#include "ringwave/synth/tone_math.hpp"

namespace ringwave::synth {

/// The rule of a station, from the sum of its voices to what is heard: tone, space, gain, ceiling.
struct StationRule {
  /// Of a sample rate.
  struct Rates {
    Rates() = default;
    /// [setup]
    explicit Rates(double sample_rate_hz);

    ToneRule::Rates tone{};
    SpaceRule::Rates space{};
    CeilingRule::Rates ceiling{};
    LoudnessRule::Rates loudness{};
    float glide = 1;
  };

  /// What effects come to.
  struct Constants {
    Constants() = default;
    /// The effects are valid. [any]
    Constants(const StationEffects& effects, const Rates& rates, double sample_rate_hz) noexcept;

    ToneRule::Constants tone{};
    SpaceRule::Constants space{};
    CeilingRule::Constants ceiling{};
    LoudnessRule::Constants loudness{};
    float gain = 1;
    std::int64_t start_frame = 0;  ///< on the renderer's clock, a multiple of kChunkFrames
  };

  struct State {
    ToneRule::State tone[2]{};
    SpaceRule::State space{};
    CeilingRule::State ceiling{};
    LoudnessRule::Side sides[2]{};
    LoudnessRule::State loudness{};
    Knob gain{};
  };

  /// Samples that a station keeps besides. [any]
  [[nodiscard]] RW_HOST_DEVICE static int floats(const Rates& rates) {
    return rates.space.layout.floats() + CeilingRule::kFloats;
  }

  RW_HOST_DEVICE static void start(const Rates& rates, const Constants& c, State& state) {
    state = State{};
    for (ToneRule::State& side : state.tone) ToneRule::start(c.tone, side);
    SpaceRule::start(c.space, state.space);
    LoudnessRule::start(rates.loudness, c.loudness, state.loudness);
    state.gain.jump(c.gain);
  }

  /// A chunk begins.
  RW_HOST_DEVICE static void advance(const Rates& rates, const Constants& c, State& state) {
    for (ToneRule::State& side : state.tone) ToneRule::advance(rates.tone, c.tone, side);
    SpaceRule::advance(rates.space, c.space, state.space);
    state.gain.advance(c.gain, rates.glide);
  }

  /// The station's own clock at one of the renderer's, modulo 2^32.
  [[nodiscard]] RW_HOST_DEVICE static unsigned own_clock(const Constants& c, std::int64_t clock) {
    return static_cast<unsigned>(clock) - static_cast<unsigned>(c.start_frame);
  }

  /// A chunk has ended, at `own` on the station's clock.
  RW_HOST_DEVICE static void end_hop(const Rates& rates, const Constants& c, State& state, unsigned own) {
    if (own % LoudnessRule::kHopFrames != 0) return;
    LoudnessRule::advance(rates.loudness, c.loudness, state.loudness, own / LoudnessRule::kHopFrames - 1,
                          state.sides[0].energy + state.sides[1].energy);
    state.sides[0].energy = state.sides[1].energy = 0;
  }

  /// Dither of 16 bits, from -1 to 1 of their steps: the difference of two uniform numbers, another one for
  /// every frame and side of every station.
  [[nodiscard]] RW_HOST_DEVICE static float dither(std::uint32_t station, std::uint32_t clock,
                                                   std::uint32_t side) {
    // The golden ratio spreads the stations.
    const std::uint32_t x = scrambled(clock * 2 + side + station * 0x9e37'79b9U);
    return (static_cast<float>(x & 0xffffU) - static_cast<float>(x >> 16U)) * 0x1p-16F;
  }

  /// A sample in 16 bits.
  [[nodiscard]] RW_HOST_DEVICE static std::int16_t quantized(float sample, float noise) {
    const float x = sample * 32768 + noise;
    const float held = x < -32768 ? -32768.0F : (x > 32767 ? 32767.0F : x);
    return static_cast<std::int16_t>(held < 0 ? held - 0.5F : held + 0.5F);
  }
};

}  // namespace ringwave::synth
