// SPDX-License-Identifier: Apache-2.0
// Included once for each instruction set, so that the guard is one that turns.
#if defined(RINGWAVE_SYNTH_WAVE_LANES_CPU) == defined(HWY_TARGET_TOGGLE)
#ifdef RINGWAVE_SYNTH_WAVE_LANES_CPU
#undef RINGWAVE_SYNTH_WAVE_LANES_CPU
#else
#define RINGWAVE_SYNTH_WAVE_LANES_CPU
#endif

#include <hwy/highway.h>

#include "ringwave/synth/voice_lanes_cpu.hpp"

// Every function here is one of oscillator_math.hpp or approx_math.hpp, where the reasons are, in lanes. No
// product and sum are fused: they are not there.
HWY_BEFORE_NAMESPACE();
namespace ringwave::synth::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, VoiceLanes::kLanes>;
using WordTag = hn::RebindToUnsigned<FloatTag>;
using IntTag = hn::RebindToSigned<FloatTag>;
using Float = hn::Vec<FloatTag>;
using Word = hn::Vec<WordTag>;
using Mask = hn::Mask<FloatTag>;

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

}  // namespace ringwave::synth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
