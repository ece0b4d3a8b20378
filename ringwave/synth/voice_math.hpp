// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/core/fused_math.hpp"
#include "ringwave/core/host_device.hpp"
#include "ringwave/dsp/approx_math.hpp"
#include "ringwave/synth/envelope_math.hpp"
#include "ringwave/synth/oscillator_math.hpp"
#include "ringwave/synth/patch.hpp"
#include "ringwave/synth/svf_math.hpp"
#include "ringwave/synth/voice_event.hpp"

namespace ringwave::synth {

/// The rule of the modular voice. What wires move goes on once in kControlFrames frames of the station's
/// clock, and in straight lines between; oscillators, filter and the first envelope go on with every frame.
/// So a voice is the same for blocks of any size, and a note begins at its own frame.
struct VoiceRule {
  static constexpr int kControlFrames = 16;  ///< a third of a millisecond
  static constexpr int kSlowEnvelopes = Patch::kEnvelopes - 1;

  /// What a patch comes to at a sample rate.
  struct Constants {
    Constants() = default;
    /// [setup]
    Constants(const Patch& patch, double sample_rate_hz);

    float amounts[Patch::kTargets][Patch::kSources] = {};
    bool wired[Patch::kTargets] = {};                          ///< any of its amounts is not 0
    bool heard[Patch::kSources] = {};                          ///< a wire comes from it
    EnvelopeRule::Constants amp{};                             ///< of the first envelope, in frames
    EnvelopeRule::Constants slow_envelopes[kSlowEnvelopes]{};  ///< of the others, in control steps
    Patch::Wave waves[2]{};
    Patch::Wave lfo_waves[2]{};
    Patch::Response response{};
    float semitones[2] = {};  ///< of each oscillator above the key
    float widths[2] = {};
    float levels[2] = {};
    float noise = 0;
    float lfo_octaves[2] = {};  ///< log2 of turns in a control step
    Phase lfo_steps[2] = {};    ///< the same as a phase, where no wire moves it
    Phase width_phases[2] = {};
    float k = 2;               ///< 1 / q
    bool hisses = false;       ///< there is noise
    float a4_octaves = 0;      ///< log2 of 440 Hz over the sample rate
    float cutoff_octaves = 0;  ///< log2 of the cutoff over the sample rate, at the middle C
    float key_follow = 0;
    float q = 1;
    float glide = 1;  ///< share of the way to the key that is gone in a control step
    float gain = 1;
  };

  /// What moves in straight lines.
  struct Lines {
    float levels[2] = {};
    float noise = 0;
    float g = 0;  ///< of the filter
    float k = 2;
    float left = 0;
    float right = 0;

    /// What a frame adds, on the way to `to` within kControlFrames.
    [[nodiscard]] RW_HOST_DEVICE Lines slope_to(const Lines& to) const {
      constexpr float kShare = 1.0F / kControlFrames;
      Lines slope;
      for (int i = 0; i < 2; ++i) slope.levels[i] = (to.levels[i] - levels[i]) * kShare;
      slope.noise = (to.noise - noise) * kShare;
      slope.g = (to.g - g) * kShare;
      slope.k = (to.k - k) * kShare;
      slope.left = (to.left - left) * kShare;
      slope.right = (to.right - right) * kShare;
      return slope;
    }

    /// True where the filter's cutoff is all that moves.
    [[nodiscard]] RW_HOST_DEVICE bool is_still_but_g() const {
      return levels[0] == 0 && levels[1] == 0 && noise == 0 && k == 0 && left == 0 && right == 0;
    }

    /// By a frame.
    RW_HOST_DEVICE void advance(const Lines& slope) {
      for (int i = 0; i < 2; ++i) levels[i] += slope.levels[i];
      noise += slope.noise;
      g += slope.g;
      k += slope.k;
      left += slope.left;
      right += slope.right;
    }
  };

  struct Frame {
    float left;
    float right;
  };

  struct State {
    Phase phases[2] = {};
    Phase steps[2] = {};
    float inverses[2] = {};  ///< 1 / steps
    Phase widths[2] = {};
    Phase lfo_phases[2] = {};
    std::uint32_t noise = 1;
    EnvelopeRule::State amp{};
    EnvelopeRule::State slow_envelopes[kSlowEnvelopes]{};
    SvfRule::State filter{};
    Lines now{};
    Lines slope{};       ///< a frame
    float key = 60;      ///< semitones; with the bend
    float pitch = 60;    ///< where the glide is on its way there
    float velocity = 0;  ///< 0 to 1
    float pan = 0;       ///< -1 to 1
    Frame sides{};       ///< how loud it is on either side, where no wire moves the pan
  };

  /// What some frames make of the noise's state, all at once.
  struct NoiseJump {
    std::uint32_t factor = 1664525U;  ///< of one frame (Numerical Recipes); upper bits are what is heard
    std::uint32_t term = 1013904223U;

    [[nodiscard]] RW_HOST_DEVICE static NoiseJump of_frames(std::uint32_t frames) {
      NoiseJump made{1, 0};
      for (NoiseJump power; frames != 0; frames >>= 1U, power = power.then(power))
        if ((frames & 1U) != 0) made = made.then(power);
      return made;
    }

    [[nodiscard]] RW_HOST_DEVICE NoiseJump then(const NoiseJump& next) const {
      return {factor * next.factor, term * next.factor + next.term};
    }
    [[nodiscard]] RW_HOST_DEVICE std::uint32_t after(std::uint32_t noise) const {
      return noise * factor + term;
    }
  };

  /// How a note begins.
  struct Start {
    float key = 60;
    float velocity = 1;
    float pan = 0;
    std::uint32_t seed = 1;  ///< of its noise and of where its waves begin
  };

  [[nodiscard]] RW_HOST_DEVICE static bool is_silent(const State& state) {
    return state.amp.stage == EnvelopeRule::Stage::off;
  }

  /// A note begins at the next frame. A voice that still sounds goes over to it without a break.
  RW_HOST_DEVICE static void begin(const Constants& c, State& state, const Start& start) {
    const bool was_silent = is_silent(state);
    if (was_silent) {
      state = State{};
      state.pitch = start.key;
      state.noise = start.seed;
      for (int i = 0; i < 2; ++i) state.phases[i] = next_noise(state.noise);
    }
    state.key = start.key;
    state.velocity = start.velocity;
    state.pan = start.pan;
    state.sides = sides_of(c, state.velocity, state.pan);
    EnvelopeRule::begin(c.amp, state.amp);
    for (int i = 0; i < kSlowEnvelopes; ++i)
      EnvelopeRule::begin(c.slow_envelopes[i], state.slow_envelopes[i]);
    if (was_silent) state.now = aim(c, state, Wires{c, sources_of(c, state)});
  }

  RW_HOST_DEVICE static void release(const Constants& c, State& state) {
    EnvelopeRule::release(c.amp, state.amp);
    for (int i = 0; i < kSlowEnvelopes; ++i)
      EnvelopeRule::release(c.slow_envelopes[i], state.slow_envelopes[i]);
  }

  /// It is taken away for another note: silent within EnvelopeRule::kFadeSeconds.
  RW_HOST_DEVICE static void fade(const Constants& c, State& state) { EnvelopeRule::fade(c.amp, state.amp); }

  /// An event of the voice, whose patch is the one it began with.
  RW_HOST_DEVICE static void happen(const Constants& c, State& state, const VoiceEvent& event) {
    switch (event.kind) {
      case VoiceEvent::Kind::begin:
        begin(c, state, {event.key, event.velocity, event.pan, event.seed});
        break;
      case VoiceEvent::Kind::release:
        release(c, state);
        break;
      case VoiceEvent::Kind::fade:
        fade(c, state);
        break;
      case VoiceEvent::Kind::bend:
        state.key = event.key;
        break;
    }
  }

  /// What slow things do before every frame whose number on the clock is a multiple of kControlFrames.
  RW_HOST_DEVICE static void control(const Constants& c, State& state) {
    for (int i = 0; i < kSlowEnvelopes; ++i)
      if (c.heard[1 + i]) (void)EnvelopeRule::step(c.slow_envelopes[i], state.slow_envelopes[i]);
    state.pitch += c.glide * (state.key - state.pitch);
    const Sources sources = sources_of(c, state);
    head_for(c, state, Wires{c, sources});
  }

  /// Sets off for where wires move everything to.
  template <class Moves>
  RW_HOST_DEVICE static void head_for(const Constants& c, State& state, const Moves& moves) {
    state.slope = state.now.slope_to(aim(c, state, moves));
    for (int i = 0; i < 2; ++i) state.lfo_phases[i] += lfo_step(c, moves, i);
  }

  /// The next frame.
  [[nodiscard]] RW_HOST_DEVICE static Frame step(const Constants& c, State& state) {
    return sound(c, state, EnvelopeRule::step(c.amp, state.amp));
  }

  /// The next frame, of which the first envelope's level is known already.
  [[nodiscard]] RW_HOST_DEVICE static Frame sound(const Constants& c, State& state, float level) {
    const float x = source(c, state);
    const Frame frame = filtered(c.response, state, x, level);
    state.now.advance(state.slope);
    return frame;
  }

  /// Noise and oscillators at the next frame: what goes into the filter.
  [[nodiscard]] RW_HOST_DEVICE static float source(const Constants& c, State& state) {
    float x = c.hisses ? hiss(state) : 0;
    for (int i = 0; i < 2; ++i) x = with_oscillator(c.waves[i], state, i, x);
    return x;
  }

  /// The noise at the next frame.
  [[nodiscard]] RW_HOST_DEVICE static float hiss(State& state) {
    return state.now.noise *
           (static_cast<float>(static_cast<std::int32_t>(next_noise(state.noise))) * 0x1p-31F);
  }

  /// `x` and one of the oscillators at the next frame.
  [[nodiscard]] RW_HOST_DEVICE static float with_oscillator(Patch::Wave shape, State& state, int i, float x) {
    const Phase phase = state.phases[i];
    state.phases[i] += state.steps[i];
    return fused(state.now.levels[i],
                 wave(shape, phase, {state.steps[i], state.inverses[i]}, state.widths[i]), x);
  }

  /// What is heard of `x`, which goes into the filter.
  [[nodiscard]] RW_HOST_DEVICE static Frame filtered(Patch::Response response, State& state, float x,
                                                     float level) {
    return heard(response, state.now, SvfRule::step({state.now.g, state.now.k}, state.filter, x), level);
  }

  /// The same, of what comes out of the filter.
  [[nodiscard]] RW_HOST_DEVICE static Frame heard(Patch::Response response, const Lines& now,
                                                  const SvfRule::Out& out, float level) {
    const float side = response == Patch::Response::low    ? out.low
                       : response == Patch::Response::band ? out.band * now.k
                                                           : out.high;
    const float y = side * level;
    return {y * now.left, y * now.right};
  }

  /// What wires come from.
  struct Sources {
    float values[Patch::kSources];
  };

  /// By how much wires move a target.
  struct Wires {
    const Constants& c;
    const Sources& sources;

    [[nodiscard]] RW_HOST_DEVICE float operator()(Patch::Target target) const {
      float sum = 0;
      if (c.wired[static_cast<int>(target)])
        for (int i = 0; i < Patch::kSources; ++i)
          sum += c.amounts[static_cast<int>(target)][i] * sources.values[i];
      return sum;
    }
  };

  [[nodiscard]] RW_HOST_DEVICE static Sources sources_of(const Constants& c, const State& state) {
    Sources made;
    made.values[0] = EnvelopeRule::level(c.amp, state.amp);
    for (int i = 0; i < kSlowEnvelopes; ++i)
      made.values[1 + i] = EnvelopeRule::level(c.slow_envelopes[i], state.slow_envelopes[i]);
    for (int i = 0; i < 2; ++i)
      made.values[Patch::kEnvelopes + i] =
          c.heard[Patch::kEnvelopes + i] ? slow_wave(c.lfo_waves[i], state.lfo_phases[i]) : 0;
    made.values[static_cast<int>(Patch::Source::velocity)] = state.velocity;
    made.values[static_cast<int>(Patch::Source::key)] = state.pitch * (1.0F / 128);
    return made;
  }

  /// Of a slow oscillator: slow enough that its corners are no aliases.
  [[nodiscard]] RW_HOST_DEVICE static float slow_wave(Patch::Wave wave, Phase phase) {
    const float saw = static_cast<float>(static_cast<std::int32_t>(phase)) * 0x1p-31F;
    switch (wave) {
      case Patch::Wave::sine:
        return dsp::approx::sine_of_phase(phase);
      case Patch::Wave::triangle:
        return 1 - 2 * (saw < 0 ? -saw : saw);
      case Patch::Wave::saw:
        return saw;
      case Patch::Wave::pulse:
        break;
    }
    return saw < 0 ? -1.0F : 1.0F;
  }

  /// What a slow oscillator turns in a control step.
  template <class Moves>
  [[nodiscard]] RW_HOST_DEVICE static Phase lfo_step(const Constants& c, const Moves& moves, int lfo) {
    const Patch::Target target = lfo == 0 ? Patch::Target::lfo1 : Patch::Target::lfo2;
    const float by = moves(target);
    return c.wired[static_cast<int>(target)] ? phase_of_octaves(c.lfo_octaves[lfo] + by) : c.lfo_steps[lfo];
  }

  /// Sets the pitches and widths, and says where the rest should be. Asks for every target, in every lane.
  template <class Moves>
  [[nodiscard]] RW_HOST_DEVICE static Lines aim(const Constants& c, State& state, const Moves& moves) {
    using Target = Patch::Target;
    constexpr Target kPitches[2] = {Target::pitch1, Target::pitch2};
    constexpr Target kWidths[2] = {Target::width1, Target::width2};
    constexpr Target kLevels[2] = {Target::level1, Target::level2};
    Lines to;
    for (int i = 0; i < 2; ++i) {
      const float semitones = state.pitch + c.semitones[i] + moves(kPitches[i]);
      const float octaves = (semitones - 69) * (1.0F / 12) + c.a4_octaves;
      state.steps[i] = static_cast<Phase>(dsp::approx::exp2(clamped(octaves, -24, -2)) * 0x1p32F);
      state.inverses[i] = reciprocal(static_cast<float>(state.steps[i]));
      const float wider = moves(kWidths[i]);
      state.widths[i] =
          c.wired[static_cast<int>(kWidths[i])] ? phase_of_width(c.widths[i] + wider) : c.width_phases[i];
      to.levels[i] = clamped(c.levels[i] + moves(kLevels[i]), 0, 1);
    }
    to.noise = clamped(c.noise + moves(Target::noise), 0, 1);
    const float octaves =
        c.cutoff_octaves + c.key_follow * (state.pitch - 60) * (1.0F / 12) + moves(Target::cutoff);
    to.g = SvfRule::g_of(dsp::approx::exp2(clamped(octaves, -12, -1)));
    const float sharper = moves(Target::resonance);
    to.k = c.wired[static_cast<int>(Target::resonance)] ? 1 / clamped(c.q + sharper, 0.5F, 50) : c.k;
    const float aside = moves(Target::pan);
    const Frame sides =
        c.wired[static_cast<int>(Target::pan)] ? sides_of(c, state.velocity, state.pan + aside) : state.sides;
    to.left = sides.left;
    to.right = sides.right;
    return to;
  }

 private:
  [[nodiscard]] RW_HOST_DEVICE static std::uint32_t next_noise(std::uint32_t& noise) {
    return noise = NoiseJump{}.after(noise);
  }

  [[nodiscard]] RW_HOST_DEVICE static Phase phase_of_octaves(float octaves) {
    return static_cast<Phase>(dsp::approx::exp2(octaves < -2 ? octaves : -2.0F) * 0x1p32F);
  }

  [[nodiscard]] RW_HOST_DEVICE static Phase phase_of_width(float turns) {
    return static_cast<Phase>(clamped(turns, 0.02F, 0.98F) * 0x1p32F);
  }

  [[nodiscard]] RW_HOST_DEVICE static float clamped(float x, float least, float most) {
    return x < least ? least : (x > most ? most : x);
  }

  [[nodiscard]] RW_HOST_DEVICE static float wave(Patch::Wave wave, Phase phase, Pace pace, Phase width) {
    switch (wave) {
      case Patch::Wave::sine:
        return dsp::approx::sine_of_phase(phase);
      case Patch::Wave::triangle:
        return triangle(phase, pace);
      case Patch::Wave::saw:
        return saw(phase, pace);
      case Patch::Wave::pulse:
        break;
    }
    return pulse(phase, pace, width);
  }

  /// As loud in the middle as at the sides: a quarter of a turn from left to right.
  [[nodiscard]] RW_HOST_DEVICE static Frame sides_of(const Constants& c, float velocity, float pan) {
    const auto turn = static_cast<Phase>((clamped(pan, -1, 1) + 1) * 0x1p29F);
    const float loud = c.gain * velocity * velocity;
    return {loud * dsp::approx::sine_of_phase(turn + 0x4000'0000U), loud * dsp::approx::sine_of_phase(turn)};
  }
};

}  // namespace ringwave::synth
