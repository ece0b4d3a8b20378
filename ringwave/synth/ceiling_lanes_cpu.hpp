// SPDX-License-Identifier: Apache-2.0
// Included once for each instruction set, so that the guard is one that turns.
#if defined(RINGWAVE_SYNTH_CEILING_LANES_CPU) == defined(HWY_TARGET_TOGGLE)
#ifdef RINGWAVE_SYNTH_CEILING_LANES_CPU
#undef RINGWAVE_SYNTH_CEILING_LANES_CPU
#else
#define RINGWAVE_SYNTH_CEILING_LANES_CPU
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "ringwave/synth/space_lanes_cpu.hpp"
#include "ringwave/synth/station_lanes_cpu.hpp"
#include "ringwave/synth/station_math.hpp"
#include "ringwave/synth/wave_lanes_cpu.hpp"

// CeilingRule's frames and the gain before it, a frame of a station a lane; see space_lanes_cpu.hpp.
HWY_BEFORE_NAMESPACE();
namespace ringwave::synth::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A side of a chunk after as much of its past as a true peak needs, from the second cache line on.
struct Recent {
  static constexpr std::size_t kPast = 16;
  static_assert(kPast >= 2 * CeilingRule::kReach - 1 && kPast <= CeilingRule::kRing);

  alignas(64) float samples[kPast + kChunkFrames];

  [[nodiscard]] HWY_INLINE float* Now() { return samples + kPast; }
};

/// The frames of a side with their gain, into the ring at `place` and beside their past.
HWY_INLINE void Remember(float* ring, std::size_t place, std::size_t count, Recent& recent) {
  std::copy_n(ring + CeilingRule::kRing + place - Recent::kPast, Recent::kPast, recent.samples);
  Copy(recent.Now(), count, ring + place);
  Copy(recent.Now(), count, ring + CeilingRule::kRing + place);
}

HWY_INLINE Float Larger(Float a, Float b) {
  return hn::IfThenElse(hn::Gt(a, b), a, b);
}

/// CeilingRule::true_peak(), of a side, from `peak` on.
HWY_INLINE Float TruePeak(const CeilingRule::Rates& rates, const float* newest, Float peak) {
  Float quarter = Set(0);
  Float half = Set(0);
  Float three_quarters = Set(0);
  for (std::size_t i = 0; i < 2 * CeilingRule::kReach; ++i) {
    const Float x = hn::LoadU(FloatTag(), newest - i);
    quarter = hn::Add(quarter, hn::Mul(Set(rates.taps[0][i]), x));
    half = hn::Add(half, hn::Mul(Set(rates.taps[1][i]), x));
    three_quarters = hn::Add(three_quarters, hn::Mul(Set(rates.taps[2][i]), x));
  }
  peak = Larger(peak, hn::Abs(hn::LoadU(FloatTag(), newest - CeilingRule::kReach)));
  peak = Larger(peak, hn::Abs(quarter));
  peak = Larger(peak, hn::Abs(half));
  return Larger(peak, hn::Abs(three_quarters));
}

/// The largest true peak of the frames, and `most`; what is no number does not count.
HWY_NOINLINE inline float MostPeak(const CeilingRule::Rates& rates, Recent& left, Recent& right,
                                   std::size_t count, float most) {
  const std::size_t stride = hn::Lanes(FloatTag());
  Float all = Set(most);
  for (std::size_t n = 0; n < count; n += stride) {
    const Float peak = TruePeak(rates, right.Now() + n, TruePeak(rates, left.Now() + n, Set(0)));
    const Mask counts = hn::And(hn::FirstN(FloatTag(), count - n), hn::Lt(all, peak));
    all = hn::IfThenElse(counts, peak, all);
  }
  HWY_ALIGN float lanes[StationRows::kMost];
  hn::Store(all, FloatTag(), lanes);
  return *std::max_element(lanes, lanes + stride);
}

/// What is heard of a side.
HWY_INLINE void Late(const Knob& gain, const float* HWY_RESTRICT ring, std::size_t late, Frames frames,
                     float* HWY_RESTRICT heard) {
  const Float slope = Set(gain.to - gain.from);
  for (std::size_t n = 0; n < frames.count; n += hn::Lanes(FloatTag())) {
    const Float way = hn::Mul(hn::ConvertTo(FloatTag(), Numbers(frames.first + n)), Set(1.0F / kChunkFrames));
    const Float now = hn::Add(Set(gain.from), hn::Mul(slope, way));
    hn::Store(hn::Mul(now, hn::LoadU(FloatTag(), ring + late + n)), FloatTag(), heard + n);
  }
}

/// The gain of a station and of its loudness, times each side.
HWY_INLINE void Amplify(const StationRule::State& state, unsigned own, Frames frames,
                        const float* HWY_RESTRICT left, const float* HWY_RESTRICT right,
                        float* HWY_RESTRICT to_left, float* HWY_RESTRICT to_right) {
  // A chunk lies within a hop.
  const unsigned hop = own / LoudnessRule::kHopFrames;
  const Float from = Set(state.loudness.gains[(hop + 3) % 4]);
  const Float slope = Set(state.loudness.gains[hop % 4] - state.loudness.gains[(hop + 3) % 4]);
  for (std::size_t n = 0; n < frames.count; n += hn::Lanes(FloatTag())) {
    const Float place = hn::ConvertTo(FloatTag(), Numbers(own % LoudnessRule::kHopFrames + n));
    const Float loudness =
        hn::Add(from, hn::Mul(slope, hn::Mul(place, Set(1.0F / LoudnessRule::kHopFrames))));
    const Float gain = hn::Mul(KnobAt(state.gain, frames.first + n), loudness);
    hn::Store(hn::Mul(hn::Load(FloatTag(), left + n), gain), FloatTag(), to_left + n);
    hn::Store(hn::Mul(hn::Load(FloatTag(), right + n), gain), FloatTag(), to_right + n);
  }
}

/// From what comes out of the space, which stays as it is, to what is heard.
HWY_INLINE void Ceiling(const CeilingRule::Rates& rates, StationRule::State& state, float* past,
                        std::int64_t clock, unsigned own, Frames frames, const float* HWY_RESTRICT wet_left,
                        const float* HWY_RESTRICT wet_right, float* HWY_RESTRICT left,
                        float* HWY_RESTRICT right) {
  constexpr auto kRing = static_cast<unsigned>(CeilingRule::kRing);
  const std::size_t place = static_cast<unsigned>(clock) % kRing;
  const std::size_t late = (static_cast<unsigned>(clock) - CeilingRule::kLatency) % kRing;
  Recent recent_left;
  Recent recent_right;
  Amplify(state, own, frames, wet_left, wet_right, recent_left.Now(), recent_right.Now());
  Remember(past, place, frames.count, recent_left);
  Remember(past + 2 * CeilingRule::kRing, place, frames.count, recent_right);
  state.ceiling.peak = MostPeak(rates, recent_left, recent_right, frames.count, state.ceiling.peak);
  Late(state.ceiling.gain, past, late, frames, left);
  Late(state.ceiling.gain, past + 2 * CeilingRule::kRing, late, frames, right);
}

}  // namespace ringwave::synth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
