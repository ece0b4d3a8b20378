// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/core/host_device.hpp"
#include "ringwave/synth/voice_math.hpp"

namespace ringwave::synth {

/// Lanes that play a voice together, a lane a frame of a control step: half a warp on a GPU, one alone on the
/// CPU. The two halves of a warp do everything at the same time, each with its voice; or both with the same
/// one, of which each may take a control step of two.
struct VoiceGroup {
  int lane = 0;          ///< of width()
  int half = 0;          ///< of the warp
  bool is_pair = false;  ///< both have the same voice

  [[nodiscard]] RW_HOST_DEVICE static constexpr int width() {
#if defined(__CUDA_ARCH__)
    return VoiceRule::kControlFrames;
#else
    return 1;
#endif
  }

  /// What another of them has.
  template <class T>
  [[nodiscard]] RW_HOST_DEVICE T from(T value, [[maybe_unused]] int other) const {
#if defined(__CUDA_ARCH__)
    static_assert(width() == 16);
    return __shfl_sync(0xffffffffU, value, other, width());
#else
    return value;
#endif
  }

  /// What another of both halves has, the first's lanes first.
  template <class T>
  [[nodiscard]] RW_HOST_DEVICE T from_both(T value, [[maybe_unused]] int other) const {
#if defined(__CUDA_ARCH__)
    return __shfl_sync(0xffffffffU, value, other);
#else
    return value;
#endif
  }

  /// True for the lane that has what its voice is after the last frame, and keeps it: of a pair in the second
  /// half.
  [[nodiscard]] RW_HOST_DEVICE bool keeps() const {
    return lane == 0 && (!is_pair || half != 0);
  }

  /// True where it is so for the other half, too.
  [[nodiscard]] RW_HOST_DEVICE bool both(bool mine) const {
#if defined(__CUDA_ARCH__)
    return __all_sync(0xffffffffU, mine) != 0;
#else
    return mine;
#endif
  }

  /// True where it is so for either half.
  [[nodiscard]] RW_HOST_DEVICE bool either(bool mine) const {
#if defined(__CUDA_ARCH__)
    return __any_sync(0xffffffffU, mine) != 0;
#else
    return mine;
#endif
  }

  /// The least that either half has.
  [[nodiscard]] RW_HOST_DEVICE int least(int mine) const {
#if defined(__CUDA_ARCH__)
    const int other = __shfl_xor_sync(0xffffffffU, mine, width());
    return other < mine ? other : mine;
#else
    return mine;
#endif
  }

  [[nodiscard]] RW_HOST_DEVICE VoiceRule::Lines from(const VoiceRule::Lines& lines, int other) const {
    return each(lines, [&](float line) { return from(line, other); });
  }
  [[nodiscard]] RW_HOST_DEVICE VoiceRule::Lines from_both(const VoiceRule::Lines& lines, int other) const {
    return each(lines, [&](float line) { return from_both(line, other); });
  }

 private:
  template <class From>
  [[nodiscard]] RW_HOST_DEVICE static VoiceRule::Lines each(const VoiceRule::Lines& lines, const From& from) {
    VoiceRule::Lines made;
    for (int i = 0; i < 2; ++i) made.levels[i] = from(lines.levels[i]);
    made.noise = from(lines.noise);
    made.g = from(lines.g);
    made.k = from(lines.k);
    made.left = from(lines.left);
    made.right = from(lines.right);
    return made;
  }
};

/// VoiceRule::control() by a group, all lanes of which have the voice: a lane a source of wires, then a lane
/// a target.
RW_HOST_DEVICE inline void control_together(const VoiceGroup& group, const VoiceRule::Constants& c,
                                            VoiceRule::State& state) {
  constexpr int kSlow = VoiceRule::kSlowEnvelopes;
  constexpr int kFirstLfo = Patch::kEnvelopes;
  static_assert(Patch::kSources <= VoiceRule::kControlFrames && Patch::kTargets <= VoiceRule::kControlFrames);
  const int own = group.lane;
  state.pitch += c.glide * (state.key - state.pitch);
  float value = 0;
  EnvelopeRule::State envelope;
  if (own < Patch::kEnvelopes) {
    envelope = state.amp;
    for (int i = 0; i < kSlow; ++i)
      if (own == 1 + i) envelope = state.slow_envelopes[i];
    const EnvelopeRule::Constants& constants = own == 0 ? c.amp : c.slow_envelopes[own - 1];
    if (own > 0 && c.heard[own]) (void)EnvelopeRule::step(constants, envelope);
    value = EnvelopeRule::level(constants, envelope);
  } else if (own < kFirstLfo + 2) {
    const int lfo = own - kFirstLfo;
    if (c.heard[own])
      value = VoiceRule::slow_wave(c.lfo_waves[lfo], lfo == 0 ? state.lfo_phases[0] : state.lfo_phases[1]);
  }
  if (own == static_cast<int>(Patch::Source::velocity)) value = state.velocity;
  if (own == static_cast<int>(Patch::Source::key)) value = state.pitch * (1.0F / 128);
  for (int i = 0; i < kSlow; ++i) {
    state.slow_envelopes[i].away = group.from(envelope.away, 1 + i);
    state.slow_envelopes[i].stage =
        static_cast<EnvelopeRule::Stage>(group.from(static_cast<int>(envelope.stage), 1 + i));
  }
  float moved = 0;
  const bool is_wired = own < Patch::kTargets && c.wired[own];
  for (int i = 0; i < Patch::kSources; ++i) {
    const float from = group.from(value, i);
    if (is_wired) moved += c.amounts[own][i] * from;
  }
  VoiceRule::head_for(c, state,
                      [&](Patch::Target target) { return group.from(moved, static_cast<int>(target)); });
}

/// What VoiceRule::control() comes to at each of the next control steps, worked out at once: a lane a step.
class ControlAhead {
 public:
  /// False where the frames are not whole control steps, or too many, or a step depends on what the frames
  /// before it do.
  [[nodiscard]] RW_HOST_DEVICE static bool is_possible(const VoiceRule::Constants& c, std::int64_t clock,
                                                       int frames) {
    constexpr int kStep = VoiceRule::kControlFrames;
    return VoiceGroup::width() > 1 && clock % kStep == 0 && frames % kStep == 0 && frames <= kStep * kStep &&
           !c.heard[static_cast<int>(Patch::Source::env1)] &&
           !c.wired[static_cast<int>(Patch::Target::lfo1)] && !c.wired[static_cast<int>(Patch::Target::lfo2)];
  }

  ControlAhead() = default;
  /// For up to as many steps as there are lanes, of a voice that is `state` before the first.
  RW_HOST_DEVICE ControlAhead(const VoiceGroup& group, const VoiceRule::Constants& c, VoiceRule::State state,
                              int steps) {
    VoiceRule::State mine = state;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int step = 0; step < steps; ++step) {
      for (int i = 0; i < VoiceRule::kSlowEnvelopes; ++i)
        if (c.heard[1 + i]) (void)EnvelopeRule::step(c.slow_envelopes[i], state.slow_envelopes[i]);
      state.pitch += c.glide * (state.key - state.pitch);
      if (step == group.lane) {
        for (int i = 0; i < VoiceRule::kSlowEnvelopes; ++i) mine.slow_envelopes[i] = state.slow_envelopes[i];
        mine.pitch = state.pitch;
        for (int i = 0; i < 2; ++i) mine.lfo_phases[i] = state.lfo_phases[i];
      }
      for (int i = 0; i < 2; ++i) state.lfo_phases[i] += c.lfo_steps[i];
    }
    const VoiceRule::Sources sources = VoiceRule::sources_of(c, mine);
    to_ = VoiceRule::aim(c, mine, VoiceRule::Wires{c, sources});
    for (int i = 0; i < VoiceRule::kSlowEnvelopes; ++i) slow_envelopes_[i] = mine.slow_envelopes[i];
    pitch_ = mine.pitch;
    for (int i = 0; i < 2; ++i) {
      steps_[i] = mine.steps[i];
      inverses_[i] = mine.inverses[i];
      widths_[i] = mine.widths[i];
      lfo_phases_[i] = mine.lfo_phases[i] + c.lfo_steps[i];
    }
  }

  /// VoiceRule::control() at one of the steps.
  RW_HOST_DEVICE void control(const VoiceGroup& group, VoiceRule::State& state, int step) const {
    for (int i = 0; i < VoiceRule::kSlowEnvelopes; ++i) {
      state.slow_envelopes[i].away = group.from(slow_envelopes_[i].away, step);
      state.slow_envelopes[i].stage =
          static_cast<EnvelopeRule::Stage>(group.from(static_cast<int>(slow_envelopes_[i].stage), step));
    }
    state.pitch = group.from(pitch_, step);
    for (int i = 0; i < 2; ++i) {
      state.steps[i] = group.from(steps_[i], step);
      state.inverses[i] = group.from(inverses_[i], step);
      state.widths[i] = group.from(widths_[i], step);
      state.lfo_phases[i] = group.from(lfo_phases_[i], step);
    }
    state.slope = state.now.slope_to(group.from(to_, step));
  }

 private:
  VoiceRule::Lines to_{};
  EnvelopeRule::State slow_envelopes_[VoiceRule::kSlowEnvelopes]{};
  float pitch_ = 0;
  Phase steps_[2] = {};
  float inverses_[2] = {};
  Phase widths_[2] = {};
  Phase lfo_phases_[2] = {};
};

}  // namespace ringwave::synth
