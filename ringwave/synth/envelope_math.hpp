// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "ringwave/core/host_device.hpp"

namespace ringwave::synth {

/// An envelope as a player thinks of it. Every part is exponential: the way up ends where it would still be
/// rising, as a capacitor's does, decay and release fall by decibels.
struct Adsr {
  double attack_s = 0.01;  ///< from nothing to the top
  double decay_s = 0.2;    ///< until a hundredth of the way down to `sustain` is left
  double sustain = 0.7;    ///< 0 to 1
  double release_s = 0.3;  ///< until it is 60 dB down
};

/// The rule of an envelope that goes on by one step for every frame, or every few. What it does depends on
/// the number of steps alone.
struct EnvelopeRule {
  enum class Stage : std::uint8_t { off, attack, decay, release, fade };

  /// What a step takes of the way that is left.
  struct Constants {
    Constants() = default;
    /// For steps at a rate. [setup]
    Constants(const Adsr& adsr, double steps_per_second) noexcept
        : attack(share(adsr.attack_s * steps_per_second, (kOvershoot - 1) / kOvershoot)),
          decay(share(adsr.decay_s * steps_per_second, 0.01)),
          release(share(adsr.release_s * steps_per_second, 0.001)),
          sustain(static_cast<float>(adsr.sustain)),
          fade(static_cast<float>(1 / (kFadeSeconds * steps_per_second))) {}

    float attack = 1;
    float decay = 1;
    float release = 1;
    float sustain = 1;
    float fade = 1;  ///< of the top, in a straight line

   private:
    /// So that after `steps` steps `left` of the way is left; in one where there are none.
    static float share(double steps, double left) noexcept {
      return steps < 1 ? 1.0F : static_cast<float>(-std::expm1(std::log(left) / steps));
    }
  };

  /// It holds how far the level is from where its stage leads to: that shrinks by a factor, and a float loses
  /// nothing of it, where a level that creeps up would stand still a thousandth too early.
  struct State {
    float away = 0;
    Stage stage = Stage::off;
  };

  static constexpr double kOvershoot = 1.2;  ///< what the attack aims at
  static constexpr double kFadeSeconds = 0.005;
  static constexpr float kSilence = 1e-5F;  ///< 100 dB down a release ends

  [[nodiscard]] RW_HOST_DEVICE static float level(const Constants& c, const State& state) {
    return target(c, state.stage) + state.away;
  }

  /// A note begins: from wherever the level is, so that a voice that is taken from another note does not
  /// click.
  RW_HOST_DEVICE static void begin(const Constants& c, State& state) { enter(c, state, Stage::attack); }

  /// It is let go.
  RW_HOST_DEVICE static void release(const Constants& c, State& state) {
    if (state.stage != Stage::off) enter(c, state, Stage::release);
  }

  /// It is taken away for another: from wherever it is to nothing within kFadeSeconds.
  RW_HOST_DEVICE static void fade(const Constants& c, State& state) {
    if (state.stage != Stage::off) enter(c, state, Stage::fade);
  }

  /// Some steps in a row, with all that depends on the stage at hand.
  class Run {
   public:
    RW_HOST_DEVICE Run(const Constants& c, const State& state) : away_(state.away), stage_(state.stage) {
      look_up(c);
    }

    /// The level after one more step.
    [[nodiscard]] RW_HOST_DEVICE float step(const Constants& c) {
      away_ -= share_ * away_ + line_;
      const float level = target_ + away_;
      return level >= most_ || away_ < least_ ? turn(c) : level;
    }

    /// Goes on by up to `times` times kSteps steps, without a look at each; stops before those in which a
    /// stage ends. Calls `note(i, state)` before the i-th time; how many there were.
    template <int kSteps, class Note>
    RW_HOST_DEVICE int cruise(int times, const Note& note) {
      if (stage_ == Stage::fade) return 0;  // a line, and short
      int done = 0;
      for (; done < times; ++done) {
        float away = away_;
        for (int i = 0; i < kSteps; ++i) away -= share_ * away;
        // On its way a level goes one way only: if the last step does not end the stage, none does.
        if (target_ + away >= most_ || away < least_) break;
        note(done, state());
        away_ = away;
      }
      return done;
    }

    /// Goes on by `count` steps, and sets `level` to what it is after the first `own` + 1 of them. False, and
    /// it may be anywhere, where a stage ends meanwhile.
    [[nodiscard]] RW_HOST_DEVICE bool glide(int count, int own, float& level) {
      float there = away_;
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
      for (int i = 0; i < count; ++i) {
        away_ -= share_ * away_ + line_;
        if (i == own) there = away_;
      }
      level = target_ + there;
      return holds();
    }

    /// Goes on by a step without a look at it; then the level, if the stage holds() in the end.
    [[nodiscard]] RW_HOST_DEVICE float slide() {
      away_ -= share_ * away_ + line_;
      return target_ + away_;
    }

    /// True where no step without a look has ended the stage. As in cruise(); a fade goes one way as well.
    [[nodiscard]] RW_HOST_DEVICE bool holds() const {
      return target_ + away_ < most_ && away_ >= least_;
    }

    /// It is let go.
    RW_HOST_DEVICE void release(const Constants& c) {
      State now = state();
      EnvelopeRule::release(c, now);
      *this = Run(c, now);
    }

    [[nodiscard]] RW_HOST_DEVICE State state() const {
      return {away_, stage_};
    }

   private:
    static constexpr float kNever = 1e30F;

    RW_HOST_DEVICE void look_up(const Constants& c) {
      share_ = stage_ == Stage::attack    ? c.attack
               : stage_ == Stage::decay   ? c.decay
               : stage_ == Stage::release ? c.release
                                          : 0.0F;
      line_ = stage_ == Stage::fade ? c.fade : 0.0F;
      target_ = target(c, stage_);
      most_ = stage_ == Stage::attack ? 1.0F : kNever;
      least_ = stage_ >= Stage::release ? kSilence : -kNever;
    }

    /// The stage is over: at the top, or where nothing is left.
    RW_HOST_DEVICE float turn(const Constants& c) {
      const bool is_top = stage_ == Stage::attack;
      stage_ = is_top ? Stage::decay : Stage::off;
      away_ = is_top ? 1 - c.sustain : 0.0F;
      look_up(c);
      return target_ + away_;
    }

    float away_;
    float share_;  ///< of it that goes in a step
    float line_;   ///< and what goes besides
    float target_;
    float most_;   ///< of the level, where the stage ends
    float least_;  ///< of what is away
    Stage stage_;
  };

  /// The level after one more step.
  [[nodiscard]] RW_HOST_DEVICE static float step(const Constants& c, State& state) {
    Run run(c, state);
    const float level = run.step(c);
    state = run.state();
    return level;
  }

 private:
  [[nodiscard]] RW_HOST_DEVICE static float target(const Constants& c, Stage stage) {
    return stage == Stage::attack ? static_cast<float>(kOvershoot) : stage == Stage::decay ? c.sustain : 0.0F;
  }

  RW_HOST_DEVICE static void enter(const Constants& c, State& state, Stage stage) {
    state.away = level(c, state) - target(c, stage);
    state.stage = stage;
  }
};

}  // namespace ringwave::synth
