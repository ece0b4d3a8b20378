// SPDX-License-Identifier: Apache-2.0
// Included once for each instruction set, so that the guard is one that turns.
#if defined(RINGWAVE_SYNTH_CONTROL_LANES_CPU) == defined(HWY_TARGET_TOGGLE)
#ifdef RINGWAVE_SYNTH_CONTROL_LANES_CPU
#undef RINGWAVE_SYNTH_CONTROL_LANES_CPU
#else
#define RINGWAVE_SYNTH_CONTROL_LANES_CPU
#endif

#include <hwy/highway.h>

#include <limits>

#include "ringwave/synth/voice_lanes_cpu.hpp"
#include "ringwave/synth/wave_lanes_cpu.hpp"

// VoiceRule's control step and EnvelopeRule, in lanes; see wave_lanes_cpu.hpp.
HWY_BEFORE_NAMESPACE();
namespace ringwave::synth::HWY_NAMESPACE {
/// EnvelopeRule. What a lane's stage comes to is looked up when it is entered, not with every step.
class Envelope {
 public:
  HWY_INLINE Envelope(const EnvelopeRule::Constants& c, const VoiceLanes::Envelope& lanes, std::size_t base)
      : away_(hn::Load(FloatTag(), lanes.away + base)), stage_(hn::Load(WordTag(), lanes.stage + base)) {
    Enter(c);
  }

  HWY_INLINE void Save(VoiceLanes::Envelope& lanes, std::size_t base) const {
    hn::Store(away_, FloatTag(), lanes.away + base);
    hn::Store(stage_, WordTag(), lanes.stage + base);
  }

  [[nodiscard]] HWY_INLINE Float Level() const { return hn::Add(target_, away_); }

  HWY_INLINE Float Step(const EnvelopeRule::Constants& c) {
    away_ = hn::Sub(away_, hn::IfThenElse(fades_, Set(c.fade), hn::Mul(share_, away_)));
    const Mask up = hn::Ge(Level(), top_);
    const Mask down = hn::Lt(away_, bottom_);
    if (!hn::AllFalse(FloatTag(), hn::Or(up, down))) GoOn(c, up, down);
    return Level();
  }

 private:
  using Stage = EnvelopeRule::Stage;

  HWY_INLINE void Enter(const EnvelopeRule::Constants& c) {
    constexpr float kNever = std::numeric_limits<float>::infinity();
    const Mask attacks = IsStage(stage_, Stage::attack);
    const Mask decays = IsStage(stage_, Stage::decay);
    const Mask releases = IsStage(stage_, Stage::release);
    fades_ = IsStage(stage_, Stage::fade);
    share_ =
        hn::IfThenElse(attacks, Set(c.attack),
                       hn::IfThenElse(decays, Set(c.decay), hn::IfThenElseZero(releases, Set(c.release))));
    target_ = hn::IfThenElse(attacks, Set(static_cast<float>(EnvelopeRule::kOvershoot)),
                             hn::IfThenElseZero(decays, Set(c.sustain)));
    top_ = hn::IfThenElse(attacks, Set(1), Set(kNever));
    bottom_ = hn::IfThenElse(hn::Or(releases, fades_), Set(EnvelopeRule::kSilence), Set(-kNever));
  }

  /// Some have reached the top, some the end.
  HWY_INLINE void GoOn(const EnvelopeRule::Constants& c, Mask up, Mask down) {
    const auto stage = [](Stage which) { return SetWord(static_cast<std::uint32_t>(which)); };
    stage_ = hn::IfThenElse(hn::RebindMask(WordTag(), up), stage(Stage::decay), stage_);
    stage_ = hn::IfThenElse(hn::RebindMask(WordTag(), down), stage(Stage::off), stage_);
    away_ = hn::IfThenElse(up, Set(1 - c.sustain), hn::IfThenZeroElse(down, away_));
    Enter(c);
  }

  Float away_;
  Word stage_;
  Mask fades_;
  Float share_;
  Float target_;
  Float top_;     // where an attack ends
  Float bottom_;  // where a release ends
};

struct Sources {
  Float values[Patch::kSources];
};

HWY_INLINE Sources SourcesOf(const VoiceRule::Constants& c, const VoiceLanes& lanes, std::size_t base) {
  Sources made;
  made.values[0] = Envelope(c.amp, lanes.amp, base).Level();
  for (std::size_t i = 0; i < VoiceRule::kSlowEnvelopes; ++i)
    made.values[1 + i] = Envelope(c.slow_envelopes[i], lanes.slow_envelopes[i], base).Level();
  for (std::size_t i = 0; i < 2; ++i)
    made.values[Patch::kEnvelopes + i] =
        c.heard[Patch::kEnvelopes + i]
            ? SlowWave(c.lfo_waves[i], hn::Load(WordTag(), lanes.lfo_phases[i] + base))
            : Set(0);
  made.values[static_cast<std::size_t>(Patch::Source::velocity)] =
      hn::Load(FloatTag(), lanes.velocity + base);
  made.values[static_cast<std::size_t>(Patch::Source::key)] =
      hn::Mul(hn::Load(FloatTag(), lanes.pitch + base), Set(1.0F / 128));
  return made;
}

HWY_INLINE Float Moved(const VoiceRule::Constants& c, const Sources& sources, Patch::Target target) {
  const auto row = static_cast<std::size_t>(target);
  Float sum = Set(0);
  if (c.wired[row])
    for (std::size_t i = 0; i < Patch::kSources; ++i)
      sum = hn::Add(sum, hn::Mul(Set(c.amounts[row][i]), sources.values[i]));
  return sum;
}

/// A line goes from where it is to `to` within a control step.
HWY_INLINE void Aim(const VoiceLanes::Floats& now, VoiceLanes::Floats& slope, std::size_t base, Float to) {
  const Float way = hn::Sub(to, hn::Load(FloatTag(), now + base));
  hn::Store(hn::Mul(way, Set(1.0F / VoiceRule::kControlFrames)), FloatTag(), slope + base);
}

/// The pitch, the width and the level of an oscillator.
HWY_INLINE void AimOscillator(const VoiceRule::Constants& c, const Sources& sources, std::size_t i,
                              VoiceLanes& lanes, std::size_t base) {
  using Target = Patch::Target;
  constexpr Target kPitches[2] = {Target::pitch1, Target::pitch2};
  constexpr Target kWidths[2] = {Target::width1, Target::width2};
  constexpr Target kLevels[2] = {Target::level1, Target::level2};
  const Float pitch = hn::Load(FloatTag(), lanes.pitch + base);
  const Float semitones = hn::Add(hn::Add(pitch, Set(c.semitones[i])), Moved(c, sources, kPitches[i]));
  const Float octaves = hn::Add(hn::Mul(hn::Sub(semitones, Set(69)), Set(1.0F / 12)), Set(c.a4_octaves));
  const Float turns = Exp2(Clamped(octaves, -24, -2));
  const Word step = ToWord(hn::Mul(turns, Set(0x1p32F)));
  hn::Store(step, WordTag(), lanes.steps[i] + base);
  hn::Store(hn::Div(Set(1), ToFloat(step)), FloatTag(), lanes.inverses[i] + base);
  if (c.wired[static_cast<std::size_t>(kWidths[i])]) {
    const Float width = hn::Mul(
        Clamped(hn::Add(Set(c.widths[i]), Moved(c, sources, kWidths[i])), 0.02F, 0.98F), Set(0x1p32F));
    // A float from 2^31 on loses nothing where that is taken from it.
    const Mask high = hn::Ge(width, Set(0x1p31F));
    const Word low_part = ToWord(hn::IfThenElse(high, hn::Sub(width, Set(0x1p31F)), width));
    const Word top = hn::IfThenElseZero(hn::RebindMask(WordTag(), high), SetWord(0x8000'0000U));
    hn::Store(hn::Or(low_part, top), WordTag(), lanes.widths[i] + base);
  } else {
    hn::Store(SetWord(c.width_phases[i]), WordTag(), lanes.widths[i] + base);
  }
  Aim(lanes.now.levels[i], lanes.slope.levels[i], base,
      Clamped(hn::Add(Set(c.levels[i]), Moved(c, sources, kLevels[i])), 0, 1));
}

HWY_INLINE void AimFilter(const VoiceRule::Constants& c, const Sources& sources, VoiceLanes& lanes,
                          std::size_t base) {
  const Float keys = hn::Sub(hn::Load(FloatTag(), lanes.pitch + base), Set(60));
  const Float follow = hn::Mul(hn::Mul(Set(c.key_follow), keys), Set(1.0F / 12));
  const Float octaves =
      hn::Add(hn::Add(Set(c.cutoff_octaves), follow), Moved(c, sources, Patch::Target::cutoff));
  Aim(lanes.now.g, lanes.slope.g, base, Tangent(Clamped(Exp2(Clamped(octaves, -12, -1)), 0, 0.49F)));
  Float k = Set(c.k);
  if (c.wired[static_cast<std::size_t>(Patch::Target::resonance)])
    k = hn::Div(Set(1), Clamped(hn::Add(Set(c.q), Moved(c, sources, Patch::Target::resonance)), 0.5F, 50));
  Aim(lanes.now.k, lanes.slope.k, base, k);
}

HWY_INLINE void AimSides(const VoiceRule::Constants& c, const Sources& sources, VoiceLanes& lanes,
                         std::size_t base) {
  Float left = hn::Load(FloatTag(), lanes.left + base);
  Float right = hn::Load(FloatTag(), lanes.right + base);
  if (c.wired[static_cast<std::size_t>(Patch::Target::pan)]) {
    const Float pan = Clamped(
        hn::Add(hn::Load(FloatTag(), lanes.pan + base), Moved(c, sources, Patch::Target::pan)), -1, 1);
    const Word turn = ToWord(hn::Mul(hn::Add(pan, Set(1)), Set(0x1p29F)));
    const Float velocity = hn::Load(FloatTag(), lanes.velocity + base);
    const Float loud = hn::Mul(hn::Mul(Set(c.gain), velocity), velocity);
    left = hn::Mul(loud, SineOfPhase(hn::Add(turn, SetWord(0x4000'0000U))));
    right = hn::Mul(loud, SineOfPhase(turn));
  }
  Aim(lanes.now.left, lanes.slope.left, base, left);
  Aim(lanes.now.right, lanes.slope.right, base, right);
}

HWY_INLINE void AdvanceLfo(const VoiceRule::Constants& c, const Sources& sources, std::size_t i,
                           VoiceLanes& lanes, std::size_t base) {
  const Patch::Target target = i == 0 ? Patch::Target::lfo1 : Patch::Target::lfo2;
  Word step = SetWord(c.lfo_steps[i]);
  if (c.wired[static_cast<std::size_t>(target)]) {
    const Float octaves = hn::Add(Set(c.lfo_octaves[i]), Moved(c, sources, target));
    const Float held = hn::IfThenElse(hn::Lt(octaves, Set(-2)), octaves, Set(-2));
    step = ToWord(hn::Mul(Exp2(held), Set(0x1p32F)));
  }
  std::uint32_t* const phases = lanes.lfo_phases[i] + base;
  hn::Store(hn::Add(hn::Load(WordTag(), phases), step), WordTag(), phases);
}

/// VoiceRule::control() of the lanes from `base` on.
HWY_NOINLINE inline void Control(const VoiceRule::Constants& c, VoiceLanes& lanes, std::size_t base) {
  for (std::size_t i = 0; i < VoiceRule::kSlowEnvelopes; ++i) {
    if (!c.heard[1 + i]) continue;
    Envelope envelope(c.slow_envelopes[i], lanes.slow_envelopes[i], base);
    (void)envelope.Step(c.slow_envelopes[i]);
    envelope.Save(lanes.slow_envelopes[i], base);
  }
  const Float key = hn::Load(FloatTag(), lanes.key + base);
  const Float pitch = hn::Load(FloatTag(), lanes.pitch + base);
  hn::Store(hn::Add(pitch, hn::Mul(Set(c.glide), hn::Sub(key, pitch))), FloatTag(), lanes.pitch + base);
  const Sources sources = SourcesOf(c, lanes, base);
  for (std::size_t i = 0; i < 2; ++i) {
    AimOscillator(c, sources, i, lanes, base);
    AdvanceLfo(c, sources, i, lanes, base);
  }
  Aim(lanes.now.noise, lanes.slope.noise, base,
      Clamped(hn::Add(Set(c.noise), Moved(c, sources, Patch::Target::noise)), 0, 1));
  AimFilter(c, sources, lanes, base);
  AimSides(c, sources, lanes, base);
}

}  // namespace ringwave::synth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
