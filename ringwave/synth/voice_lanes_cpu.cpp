// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/voice_lanes_cpu.hpp"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ringwave/synth/voice_lanes_cpu.cpp"
#include <hwy/foreach_target.h>  // compiles the part between the two HWY marks once for each instruction set
#include <hwy/highway.h>

// Every function here is one of voice_math.hpp, oscillator_math.hpp, envelope_math.hpp, svf_math.hpp or
// approx_math.hpp, where the reasons are, in lanes. No product and sum are fused: they are not there.
//
// A frame of pads, of as many as there are lanes, is about 60 operations and one division, with 20 more and a
// division for an oscillator in which some voice turns; the control step adds about 500 in 16 frames. With
// AVX-512 that was measured as 6.7 cycles of the clock a voice and frame on a Xeon of 2.8 GHz, where one by
// one they take 62.
HWY_BEFORE_NAMESPACE();
namespace ringwave::synth::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, VoiceLanes::kLanes>;
using WordTag = hn::RebindToUnsigned<FloatTag>;
using IntTag = hn::RebindToSigned<FloatTag>;
using Float = hn::Vec<FloatTag>;
using Word = hn::Vec<WordTag>;
using Mask = hn::Mask<FloatTag>;

constexpr std::size_t kMostFrames = VoiceRule::kControlFrames;  // between two control steps

HWY_INLINE Float Set(float x) {
  return hn::Set(FloatTag(), x);
}

HWY_INLINE Word SetWord(std::uint32_t x) {
  return hn::Set(WordTag(), x);
}

/// Of a whole number with a sign.
HWY_INLINE Float SignedToFloat(Word x) {
  return hn::ConvertTo(FloatTag(), hn::BitCast(IntTag(), x));
}

HWY_INLINE Float ToFloat(Word x) {
  return hn::ConvertTo(FloatTag(), x);
}

/// Towards zero, for x below 2^31 either way.
HWY_INLINE Word ToWord(Float x) {
  return hn::BitCast(WordTag(), hn::ConvertTo(IntTag(), x));
}

HWY_INLINE Mask IsStage(Word stage, EnvelopeRule::Stage which) {
  return hn::RebindMask(FloatTag(), hn::Eq(stage, SetWord(static_cast<std::uint32_t>(which))));
}

HWY_INLINE Float Clamped(Float x, float least, float most) {
  const Float below = hn::IfThenElse(hn::Gt(x, Set(most)), Set(most), x);
  return hn::IfThenElse(hn::Lt(x, Set(least)), Set(least), below);
}

/// a + b x
HWY_INLINE Float Line(float a, Float b, Float x) {
  return hn::Add(Set(a), hn::Mul(x, b));
}

HWY_INLINE Float SineOfPhase(Word phase) {
  // The factor is negative from a quarter of a turn to three.
  const Word sign = hn::And(hn::Add(phase, SetWord(0x4000'0000U)), SetWord(0x8000'0000U));
  const Float factor = hn::BitCast(FloatTag(), hn::Or(hn::BitCast(WordTag(), Set(0x1p-31F)), sign));
  const Float u = hn::Mul(SignedToFloat(hn::ShiftLeft<1>(phase)), factor);
  const Float v = hn::Mul(u, u);
  Float sum = Line(-0.00467376661F, Set(0.000151485129F), v);
  sum = Line(0.0796896789F, sum, v);
  sum = Line(-0.645963711F, sum, v);
  return hn::Mul(u, Line(1.57079632F, sum, v));
}

HWY_INLINE Float Exp2(Float x) {
  x = Clamped(x, -125, 125);
  const Float half = hn::IfThenElse(hn::Lt(x, Set(0)), Set(-0.5F), Set(0.5F));
  const auto whole = hn::ConvertTo(IntTag(), hn::Add(x, half));
  const Float f = hn::Sub(x, hn::ConvertTo(FloatTag(), whole));
  Float sum = Line(0.00133999312F, Set(0.000153458075F), f);
  sum = Line(0.00961848897F, sum, f);
  sum = Line(0.0555032878F, sum, f);
  sum = Line(0.240226469F, sum, f);
  sum = Line(0.693147206F, sum, f);
  const Float power = Line(1, sum, f);
  const auto bits = hn::ShiftLeft<23>(hn::Add(whole, hn::Set(IntTag(), 127)));
  return hn::Mul(power, hn::BitCast(FloatTag(), bits));
}

HWY_INLINE Float Tangent(Float x) {
  const Word phase = ToWord(hn::Mul(x, Set(0x1p31F)));
  return hn::Div(SineOfPhase(phase), SineOfPhase(hn::Add(phase, SetWord(0x4000'0000U))));
}

/// What the waves of an oscillator need of its step while it stays the same.
struct Pace {
  HWY_INLINE Pace(Word step, Float an_inverse)
      : samples(ToFloat(step)),
        inverse(an_inverse),
        reach(hn::Sub(hn::Add(step, step), SetWord(1))),
        window(hn::Add(hn::Add(reach, reach), SetWord(1))) {}

  /// Where a turn begins less than two samples away, and a residual may not be 0.
  [[nodiscard]] HWY_INLINE auto IsNear(Word phase) const { return hn::Lt(hn::Add(phase, reach), window); }

  [[nodiscard]] HWY_INLINE Float SamplesFromWrap(Word phase) const {
    return hn::Mul(SignedToFloat(phase), inverse);
  }

  Float samples;
  Float inverse;
  Word reach;
  Word window;
};

HWY_INLINE Float StepResidual(Float t) {
  const Float d = hn::Abs(t);
  const Float far = hn::Sub(Set(2), d);
  const Float inner = hn::Sub(Set(1.0F / 3), hn::Mul(d, Set(0.125F)));
  const Float near = Line(0.5F, Line(-2.0F / 3, inner, hn::Mul(d, d)), d);
  const Float tail = hn::Mul(hn::Mul(hn::Mul(hn::Mul(far, far), far), far), Set(1.0F / 24));
  const Float r = hn::IfThenElse(hn::Lt(d, Set(1)), near, tail);
  const Float turned = hn::IfThenElse(hn::Lt(t, Set(0)), r, hn::Neg(r));
  return hn::IfThenElseZero(hn::Lt(d, Set(2)), turned);
}

HWY_INLINE Float CornerResidual(Float t) {
  const Float d = hn::Abs(t);
  const Float far = hn::Sub(Set(2), d);
  const Float inner = Line(-1.0F / 12, Set(1.0F / 40), d);
  const Float middle = Line(-0.5F, Line(1.0F / 3, inner, hn::Mul(d, d)), d);
  const Float near = Line(7.0F / 30, middle, d);
  const Float tail = hn::Mul(hn::Mul(hn::Mul(hn::Mul(hn::Mul(far, far), far), far), far), Set(1.0F / 120));
  return hn::IfThenElseZero(hn::Lt(d, Set(2)), hn::IfThenElse(hn::Lt(d, Set(1)), near, tail));
}

/// A residual is 0 in most frames of most voices, so that a branch saves time.
HWY_INLINE Float Saw(const Pace& pace, Word phase) {
  const Float plain = hn::Sub(hn::Mul(ToFloat(phase), Set(0x1p-31F)), Set(1));
  if (hn::AllFalse(WordTag(), pace.IsNear(phase))) return plain;
  return hn::Sub(plain, hn::Mul(Set(2), StepResidual(pace.SamplesFromWrap(phase))));
}

HWY_INLINE Float Triangle(const Pace& pace, Word phase) {
  const Word opposite = hn::Add(phase, SetWord(0x8000'0000U));
  const Float plain = hn::Sub(hn::Mul(hn::Abs(SignedToFloat(phase)), Set(0x1p-30F)), Set(1));
  if (hn::AllFalse(WordTag(), hn::Or(pace.IsNear(phase), pace.IsNear(opposite)))) return plain;
  const Float bend = hn::Mul(pace.samples, Set(0x1p-29F));
  const Float corners =
      hn::Sub(CornerResidual(pace.SamplesFromWrap(phase)), CornerResidual(pace.SamplesFromWrap(opposite)));
  return hn::Add(plain, hn::Mul(bend, corners));
}

template <Patch::Wave kWave>
HWY_INLINE Float WaveAt(const Pace& pace, Word phase, Word width) {
  if constexpr (kWave == Patch::Wave::sine) return SineOfPhase(phase);
  if constexpr (kWave == Patch::Wave::triangle) return Triangle(pace, phase);
  if constexpr (kWave == Patch::Wave::saw) return Saw(pace, phase);
  return hn::Sub(Saw(pace, hn::Sub(phase, width)), Saw(pace, phase));
}

HWY_INLINE Float SlowWave(Patch::Wave wave, Word phase) {
  const Float saw = hn::Mul(SignedToFloat(phase), Set(0x1p-31F));
  switch (wave) {
    case Patch::Wave::sine:
      return SineOfPhase(phase);
    case Patch::Wave::triangle:
      return hn::Sub(Set(1), hn::Mul(Set(2), hn::Abs(saw)));
    case Patch::Wave::saw:
      return saw;
    case Patch::Wave::pulse:
      break;
  }
  return hn::IfThenElse(hn::Lt(saw, Set(0)), Set(-1), Set(1));
}

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
HWY_NOINLINE void Control(const VoiceRule::Constants& c, VoiceLanes& lanes, std::size_t base) {
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

/// A line on its way through the frames.
class Moving {
 public:
  HWY_INLINE Moving(const VoiceLanes::Floats& now, const VoiceLanes::Floats& slope, std::size_t base)
      : now_(hn::Load(FloatTag(), now + base)), slope_(hn::Load(FloatTag(), slope + base)) {}
  [[nodiscard]] HWY_INLINE Float Now() const { return now_; }
  HWY_INLINE void Step() { now_ = hn::Add(now_, slope_); }
  HWY_INLINE void Save(VoiceLanes::Floats& now, std::size_t base) const {
    hn::Store(now_, FloatTag(), now + base);
  }

 private:
  Float now_;
  Float slope_;
};

/// The noise of some frames into `x`.
HWY_INLINE void Noise(const VoiceRule::Constants& c, VoiceLanes& lanes, std::size_t base, std::size_t frames,
                      float* HWY_RESTRICT x) {
  const std::size_t stride = hn::Lanes(FloatTag());
  Moving level(lanes.now.noise, lanes.slope.noise, base);
  if (!c.hisses) {
    std::fill_n(x, frames * stride, 0.0F);
    for (std::size_t n = 0; n < frames; ++n) level.Step();
    level.Save(lanes.now.noise, base);
    return;
  }
  Word noise = hn::Load(WordTag(), lanes.noise + base);
  for (std::size_t n = 0; n < frames; ++n) {
    noise = hn::Add(hn::Mul(noise, SetWord(1664525U)), SetWord(1013904223U));
    hn::Store(hn::Mul(level.Now(), hn::Mul(SignedToFloat(noise), Set(0x1p-31F))), FloatTag(), x + n * stride);
    level.Step();
  }
  hn::Store(noise, WordTag(), lanes.noise + base);
  level.Save(lanes.now.noise, base);
}

/// An oscillator is added to it.
template <Patch::Wave kWave>
HWY_INLINE void AddWave(VoiceLanes& lanes, std::size_t i, std::size_t base, std::size_t frames,
                        float* HWY_RESTRICT x) {
  const std::size_t stride = hn::Lanes(FloatTag());
  const Word step = hn::Load(WordTag(), lanes.steps[i] + base);
  const Word width = hn::Load(WordTag(), lanes.widths[i] + base);
  const Pace pace(step, hn::Load(FloatTag(), lanes.inverses[i] + base));
  Word phase = hn::Load(WordTag(), lanes.phases[i] + base);
  Moving level(lanes.now.levels[i], lanes.slope.levels[i], base);
  for (std::size_t n = 0; n < frames; ++n) {
    const Float wave = hn::Mul(level.Now(), WaveAt<kWave>(pace, phase, width));
    hn::Store(hn::Add(hn::Load(FloatTag(), x + n * stride), wave), FloatTag(), x + n * stride);
    phase = hn::Add(phase, step);
    level.Step();
  }
  hn::Store(phase, WordTag(), lanes.phases[i] + base);
  level.Save(lanes.now.levels[i], base);
}

HWY_NOINLINE void AddOscillator(Patch::Wave wave, VoiceLanes& lanes, std::size_t i, std::size_t base,
                                std::size_t frames, float* HWY_RESTRICT x) {
  switch (wave) {
    case Patch::Wave::sine:
      return AddWave<Patch::Wave::sine>(lanes, i, base, frames, x);
    case Patch::Wave::triangle:
      return AddWave<Patch::Wave::triangle>(lanes, i, base, frames, x);
    case Patch::Wave::saw:
      return AddWave<Patch::Wave::saw>(lanes, i, base, frames, x);
    case Patch::Wave::pulse:
      return AddWave<Patch::Wave::pulse>(lanes, i, base, frames, x);
  }
}

/// From the sum of the oscillators to both sides: filter and first envelope.
template <Patch::Response kResponse>
HWY_INLINE void Shape(const VoiceRule::Constants& c, VoiceLanes& lanes, std::size_t base, std::size_t frames,
                      const float* HWY_RESTRICT x, float* HWY_RESTRICT left, float* HWY_RESTRICT right) {
  const std::size_t stride = hn::Lanes(FloatTag());
  Envelope amp(c.amp, lanes.amp, base);
  Float first = hn::Load(FloatTag(), lanes.filter_first + base);
  Float second = hn::Load(FloatTag(), lanes.filter_second + base);
  Moving g_line(lanes.now.g, lanes.slope.g, base);
  Moving k_line(lanes.now.k, lanes.slope.k, base);
  Moving left_line(lanes.now.left, lanes.slope.left, base);
  Moving right_line(lanes.now.right, lanes.slope.right, base);
  for (std::size_t n = 0; n < frames; ++n) {
    const Float in = hn::Load(FloatTag(), x + n * stride);
    const Float g = g_line.Now();
    const Float k = k_line.Now();
    const Float a1 = hn::Div(Set(1), hn::Add(Set(1), hn::Mul(g, hn::Add(g, k))));
    const Float a2 = hn::Mul(g, a1);
    const Float rest = hn::Sub(in, second);
    const Float band = hn::Add(hn::Mul(a1, first), hn::Mul(a2, rest));
    const Float low = hn::Add(hn::Mul(g, band), second);
    first = hn::Sub(hn::Mul(Set(2), band), first);
    second = hn::Sub(hn::Mul(Set(2), low), second);
    Float heard = low;
    if constexpr (kResponse == Patch::Response::band) heard = hn::Mul(band, k);
    if constexpr (kResponse == Patch::Response::high) heard = hn::Sub(hn::Sub(in, hn::Mul(k, band)), low);
    const Float y = hn::Mul(heard, amp.Step(c.amp));
    hn::Store(hn::Mul(y, left_line.Now()), FloatTag(), left + n * stride);
    hn::Store(hn::Mul(y, right_line.Now()), FloatTag(), right + n * stride);
    g_line.Step();
    k_line.Step();
    left_line.Step();
    right_line.Step();
  }
  amp.Save(lanes.amp, base);
  hn::Store(first, FloatTag(), lanes.filter_first + base);
  hn::Store(second, FloatTag(), lanes.filter_second + base);
  g_line.Save(lanes.now.g, base);
  k_line.Save(lanes.now.k, base);
  left_line.Save(lanes.now.left, base);
  right_line.Save(lanes.now.right, base);
}

HWY_NOINLINE void ShapeVoices(const VoiceRule::Constants& c, VoiceLanes& lanes, std::size_t base,
                              std::size_t frames, const float* HWY_RESTRICT x, float* HWY_RESTRICT left,
                              float* HWY_RESTRICT right) {
  switch (c.response) {
    case Patch::Response::low:
      return Shape<Patch::Response::low>(c, lanes, base, frames, x, left, right);
    case Patch::Response::band:
      return Shape<Patch::Response::band>(c, lanes, base, frames, x, left, right);
    case Patch::Response::high:
      return Shape<Patch::Response::high>(c, lanes, base, frames, x, left, right);
  }
}

/// Frames of lanes to rows of frames, four by four.
HWY_NOINLINE void Turn(const float* HWY_RESTRICT tile, std::size_t frames,
                       float (*HWY_RESTRICT rows)[kChunkFrames]) {
  const std::size_t stride = hn::Lanes(FloatTag());
  std::size_t n = 0;
#if HWY_TARGET != HWY_SCALAR  // which has no four
  const hn::FixedTag<float, 4> d;
  for (; n + 4 <= frames; n += 4)
    for (std::size_t lane = 0; lane < stride; lane += 4) {
      const float* const from = tile + n * stride + lane;
      const auto a = hn::Load(d, from);
      const auto b = hn::Load(d, from + stride);
      const auto e = hn::Load(d, from + 2 * stride);
      const auto f = hn::Load(d, from + 3 * stride);
      const auto ae_low = hn::InterleaveLower(d, a, e);
      const auto bf_low = hn::InterleaveLower(d, b, f);
      const auto ae_high = hn::InterleaveUpper(d, a, e);
      const auto bf_high = hn::InterleaveUpper(d, b, f);
      hn::StoreU(hn::InterleaveLower(d, ae_low, bf_low), d, rows[lane] + n);
      hn::StoreU(hn::InterleaveUpper(d, ae_low, bf_low), d, rows[lane + 1] + n);
      hn::StoreU(hn::InterleaveLower(d, ae_high, bf_high), d, rows[lane + 2] + n);
      hn::StoreU(hn::InterleaveUpper(d, ae_high, bf_high), d, rows[lane + 3] + n);
    }
#endif
  for (; n < frames; ++n)
    for (std::size_t lane = 0; lane < stride; ++lane) rows[lane][n] = tile[n * stride + lane];
}

void PlayLanes(const VoiceRule::Constants& c, VoiceLanes& lanes, std::size_t voices, std::int64_t clock,
               int frames, VoiceRows& rows) {
  const std::size_t stride = hn::Lanes(FloatTag());
  HWY_ALIGN float x[kMostFrames * VoiceLanes::kLanes];
  HWY_ALIGN float left[kChunkFrames * VoiceLanes::kLanes];
  HWY_ALIGN float right[kChunkFrames * VoiceLanes::kLanes];
  const auto place = static_cast<std::size_t>(clock % VoiceRule::kControlFrames);
  const auto count = static_cast<std::size_t>(frames);
  for (std::size_t base = 0; base < voices; base += stride) {
    std::size_t until = 0;
    for (std::size_t n = 0; n < count; n = until) {
      const std::size_t in_step = (place + n) % kMostFrames;
      until = std::min(count, n + kMostFrames - in_step);
      if (in_step == 0) Control(c, lanes, base);
      Noise(c, lanes, base, until - n, x);
      for (std::size_t i = 0; i < 2; ++i) AddOscillator(c.waves[i], lanes, i, base, until - n, x);
      ShapeVoices(c, lanes, base, until - n, x, left + n * stride, right + n * stride);
    }
    Turn(left, count, rows.left + base);
    Turn(right, count, rows.right + base);
  }
}

}  // namespace ringwave::synth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ringwave::synth {

HWY_EXPORT(PlayLanes);

void play_lanes(const VoiceRule::Constants& constants, VoiceLanes& lanes, std::size_t voices,
                std::int64_t clock, int frames, VoiceRows& rows) noexcept {
  HWY_DYNAMIC_DISPATCH(PlayLanes)(constants, lanes, voices, clock, frames, rows);
}

}  // namespace ringwave::synth
#endif
