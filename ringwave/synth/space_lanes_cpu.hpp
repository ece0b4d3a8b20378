// SPDX-License-Identifier: Apache-2.0
// Included once for each instruction set, so that the guard is one that turns.
#if defined(RINGWAVE_SYNTH_SPACE_LANES_CPU) == defined(HWY_TARGET_TOGGLE)
#ifdef RINGWAVE_SYNTH_SPACE_LANES_CPU
#undef RINGWAVE_SYNTH_SPACE_LANES_CPU
#else
#define RINGWAVE_SYNTH_SPACE_LANES_CPU
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>

#include "ringwave/synth/space_math.hpp"
#include "ringwave/synth/wave_lanes_cpu.hpp"

// SpaceRule, a frame of a station a lane: no frame of a chunk waits for another one. Lanes behind the last
// frame are computed and left out.
HWY_BEFORE_NAMESPACE();
namespace ringwave::synth::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Int = hn::Vec<IntTag>;

/// The frames of a chunk that are at work.
struct Frames {
  std::size_t first;  ///< in the chunk
  std::size_t count;
};

/// The numbers of the frames from `first` on.
HWY_INLINE Int Numbers(std::size_t first) {
  return hn::Iota(IntTag(), static_cast<std::int32_t>(first));
}

/// A knob, at the frames from `frame` of the chunk on.
HWY_INLINE Float KnobAt(const Knob& knob, std::size_t frame) {
  const Float way = hn::Mul(hn::ConvertTo(FloatTag(), Numbers(frame + 1)), Set(1.0F / kChunkFrames));
  return hn::Add(Set(knob.from), hn::Mul(Set(knob.to - knob.from), way));
}

HWY_INLINE void AddTo(float* y, Float level, Float x) {
  hn::Store(hn::Add(hn::Load(FloatTag(), y), hn::Mul(level, x)), FloatTag(), y);
}

/// The first `count` of `x`, which begin with a cache line, to a place where whole vectors may not fit.
HWY_INLINE void Copy(const float* HWY_RESTRICT x, std::size_t count, float* HWY_RESTRICT to) {
  const std::size_t stride = hn::Lanes(FloatTag());
  std::size_t n = 0;
  for (; n + stride <= count; n += stride) hn::StoreU(hn::Load(FloatTag(), x + n), FloatTag(), to + n);
  for (; n < count; ++n) to[n] = x[n];
}

/// A ring of the space, and the place of the first frame in it.
struct Ring {
  static constexpr std::size_t kGuard = SpaceRule::Layout::kGuard;
  static constexpr std::size_t kMostTaps = kChunkFrames + 2;

  float* samples;
  std::size_t size;
  std::size_t here;

  HWY_INLINE Ring(float* the_samples, int the_size, int place)
      : samples(the_samples),
        size(static_cast<std::size_t>(the_size)),
        here(static_cast<std::size_t>(place)) {}

  [[nodiscard]] HWY_INLINE std::size_t Ago(int frames) const {
    const auto back = static_cast<std::size_t>(frames);
    return here >= back ? here - back : here - back + size;
  }

  /// The samples of a chunk from `from` on, and two more: where they lie, or in `whole` if they lie in two
  /// parts.
  [[nodiscard]] HWY_INLINE const float* From(std::size_t from, float (&whole)[kMostTaps]) const {
    if (from + kMostTaps <= size + kGuard) return samples + from;
    const std::size_t before = size - from;
    std::copy_n(samples + from, before, whole);
    std::copy_n(samples, kMostTaps - before, whole + before);
    return whole;
  }

  HWY_INLINE void Put(const float* x, std::size_t count) const {
    const std::size_t before = std::min(count, size - here);
    if (before == count) {
      Copy(x, count, samples + here);
    } else {
      std::copy_n(x, before, samples + here);
      std::copy_n(x + before, count - before, samples);
    }
    if (here < kGuard || before < count) std::copy_n(samples, kGuard, samples + size);
  }
};

/// What may go round.
HWY_INLINE Float Kept(Float x) {
  return hn::IfThenElseZero(hn::Lt(hn::Abs(x), Set(64)), x);
}

HWY_INLINE Float Damped(Float damp, const float* taps) {
  const Float middle = hn::LoadU(FloatTag(), taps + 1);
  const Float before = hn::Sub(hn::LoadU(FloatTag(), taps), middle);
  const Float after = hn::Sub(hn::LoadU(FloatTag(), taps + 2), middle);
  return hn::Add(middle, hn::Mul(damp, hn::Add(before, after)));
}

HWY_INLINE Float CubicBetween(Float p0, Float p1, Float p2, Float p3, Float f) {
  const Float half = Set(0.5F);
  const Float slope = hn::Mul(hn::Sub(p2, p0), half);
  const Float sum = hn::Add(hn::Sub(p0, hn::Mul(Set(2.5F), p1)), hn::Mul(Set(2), p2));
  const Float square = hn::Sub(sum, hn::Mul(p3, half));
  const Float cube = hn::Add(hn::Mul(hn::Sub(p3, p0), half), hn::Mul(Set(1.5F), hn::Sub(p1, p2)));
  return hn::Add(p1, hn::Mul(f, hn::Add(slope, hn::Mul(f, hn::Add(square, hn::Mul(f, cube))))));
}

/// A reader of the chorus, `away` from the frames that lie at `here`.
HWY_INLINE Float ReadBetween(const Ring& ring, Int here, Float away) {
  const Int whole = hn::ConvertTo(IntTag(), away);
  const Float f = hn::Sub(away, hn::ConvertTo(FloatTag(), whole));
  const Int size = hn::Set(IntTag(), static_cast<std::int32_t>(ring.size));
  Int oldest = hn::Sub(hn::Sub(here, whole), hn::Set(IntTag(), 2));
  oldest = hn::IfThenElse(hn::Lt(oldest, hn::Zero(IntTag())), hn::Add(oldest, size), oldest);
  // It wanders slowly, so that most often all frames are read side by side.
  const std::int32_t first = hn::GetLane(oldest);
  const float* const line = ring.samples;
  if (hn::AllTrue(IntTag(), hn::Eq(oldest, hn::Iota(IntTag(), first))))
    return CubicBetween(hn::LoadU(FloatTag(), line + first + 3), hn::LoadU(FloatTag(), line + first + 2),
                        hn::LoadU(FloatTag(), line + first + 1), hn::LoadU(FloatTag(), line + first), f);
  return CubicBetween(
      hn::GatherIndex(FloatTag(), line + 3, oldest), hn::GatherIndex(FloatTag(), line + 2, oldest),
      hn::GatherIndex(FloatTag(), line + 1, oldest), hn::GatherIndex(FloatTag(), line, oldest), f);
}

/// Into the sides of the chorus, and what is heard of it to `left` and `right`.
HWY_NOINLINE inline void Chorus(const SpaceRule::Rates& rates, const SpaceRule::Constants& c,
                                const SpaceRule::State& state, const SpaceRule::Places& places, float* memory,
                                Frames frames, float* HWY_RESTRICT left, float* HWY_RESTRICT right) {
  const SpaceRule::Layout& layout = rates.layout;
  const Ring left_ring(memory, layout.chorus_size, places.chorus);
  const Ring right_ring(memory + layout.right_at(), layout.chorus_size, places.chorus);
  left_ring.Put(left, frames.count);
  right_ring.Put(right, frames.count);
  const Int size = hn::Set(IntTag(), layout.chorus_size);
  const Float middle = Set(rates.chorus_frames);
  const Float depth = Set(c.depth_frames);
  for (std::size_t n = 0; n < frames.count; n += hn::Lanes(FloatTag())) {
    const Word clock = hn::Iota(WordTag(), state.clock + static_cast<std::uint32_t>(frames.first + n));
    const Word phase = hn::Mul(clock, SetWord(c.turn));
    const Float turned = hn::Mul(depth, SineOfPhase(phase));
    const Float turned_right = hn::Mul(depth, SineOfPhase(hn::Add(phase, SetWord(0x4000'0000U))));
    Int here = hn::Add(hn::Set(IntTag(), places.chorus), Numbers(n));
    here = hn::IfThenElse(hn::Lt(here, size), here, hn::Sub(here, size));
    Float sum = hn::Add(Set(0), ReadBetween(left_ring, here, hn::Add(middle, turned)));
    Float sum_right = hn::Add(Set(0), ReadBetween(right_ring, here, hn::Add(middle, turned_right)));
    sum = hn::Add(sum, ReadBetween(left_ring, here, hn::Sub(middle, turned)));
    sum_right = hn::Add(sum_right, ReadBetween(right_ring, here, hn::Sub(middle, turned_right)));
    const Float level = KnobAt(state.chorus, frames.first + n);
    AddTo(left + n, level, sum);
    AddTo(right + n, level, sum_right);
  }
}

/// What goes into the echo is `in`; what of it goes into the room is added.
HWY_NOINLINE inline void Echo(const SpaceRule::Rates& rates, const SpaceRule::State& state,
                              const SpaceRule::Places& places, float* memory, Frames frames,
                              float* HWY_RESTRICT in, float* HWY_RESTRICT left, float* HWY_RESTRICT right) {
  constexpr float kDamp = 0.12F;
  const Ring ring(memory + rates.layout.delay_at(), rates.layout.delay_size, places.delay);
  float wholes[2][Ring::kMostTaps];
  const float* const oldest = ring.From(ring.Ago(state.delay_frames + 1), wholes[0]);
  const float* const between = ring.From(ring.Ago(state.right_frames), wholes[1]);
  HWY_ALIGN float fresh[kChunkFrames];
  for (std::size_t n = 0; n < frames.count; n += hn::Lanes(FloatTag())) {
    const Float end = Damped(Set(kDamp), oldest + n);
    const Float level = KnobAt(state.delay, frames.first + n);
    AddTo(left + n, level, end);
    AddTo(right + n, level, hn::LoadU(FloatTag(), between + n));
    const Float x = hn::Load(FloatTag(), in + n);
    const Float back = hn::Mul(KnobAt(state.feedback, frames.first + n), end);
    hn::Store(Kept(hn::Add(x, back)), FloatTag(), fresh + n);
    hn::Store(hn::Add(x, hn::Mul(Set(0.5F), hn::Mul(level, end))), FloatTag(), in + n);
  }
  ring.Put(fresh, frames.count);
}

HWY_NOINLINE inline void Room(const SpaceRule::Rates& rates, const SpaceRule::Constants& c,
                              const SpaceRule::State& state, const SpaceRule::Places& places, float* memory,
                              Frames frames, const float* HWY_RESTRICT in, float* HWY_RESTRICT left,
                              float* HWY_RESTRICT right) {
  constexpr std::size_t kLines = SpaceRule::kLines;
  float wholes[kLines][Ring::kMostTaps];
  const float* taps[kLines];
  HWY_ALIGN float fresh[kLines][kChunkFrames];
  float* line = memory + rates.layout.lines_at();
  for (std::size_t i = 0; i < kLines; ++i) {
    const Ring ring(line, rates.layout.line_sizes[i], places.lines[i]);
    taps[i] = ring.From(ring.here + 1, wholes[i]);
    line += ring.size + Ring::kGuard;
  }
  const Float damp = Set(c.damp);
  for (std::size_t n = 0; n < frames.count; n += hn::Lanes(FloatTag())) {
    const Float x = hn::Load(FloatTag(), in + n);
    Float sum = Set(0);
    Float sum_left = Set(0);
    Float sum_right = Set(0);
    for (std::size_t i = 0; i < kLines; ++i) {
      const Float middle = hn::LoadU(FloatTag(), taps[i] + n + 1);
      const Float back = hn::Mul(Set(c.gains[i]), Damped(damp, taps[i] + n));
      sum_left = (i & 1U) == 0 ? hn::Add(sum_left, middle) : hn::Sub(sum_left, middle);
      sum_right = (i & 2U) == 0 ? hn::Add(sum_right, middle) : hn::Sub(sum_right, middle);
      sum = hn::Add(sum, back);
      hn::Store(i % 3 == 0 ? hn::Add(back, x) : hn::Sub(back, x), FloatTag(), fresh[i] + n);
    }
    sum = hn::Mul(sum, Set(2.0F / kLines));
    for (std::size_t i = 0; i < kLines; ++i)
      hn::Store(Kept(hn::Sub(hn::Load(FloatTag(), fresh[i] + n), sum)), FloatTag(), fresh[i] + n);
    const Float level = KnobAt(state.room, frames.first + n);
    AddTo(left + n, level, sum_left);
    AddTo(right + n, level, sum_right);
  }
  line = memory + rates.layout.lines_at();
  for (std::size_t i = 0; i < kLines; ++i) {
    const Ring ring(line, rates.layout.line_sizes[i], places.lines[i]);
    ring.Put(fresh[i], frames.count);
    line += ring.size + Ring::kGuard;
  }
}

/// Asks for what Space() will read: so many rings of so many stations are too many for the processor to
/// foresee.
HWY_INLINE void Foresee(const SpaceRule::Rates& rates, const SpaceRule::Constants& c,
                        const SpaceRule::State& state, const SpaceRule::Places& places, float* memory) {
  const SpaceRule::Layout& layout = rates.layout;
  const auto ask = [](const float* first) {
    for (int n = 0; n <= kChunkFrames; n += 16) hwy::Prefetch(first + n);  // a cache line each
  };
  const std::uint32_t phase = (state.clock + kChunkFrames / 2) * c.turn;
  for (int side = 0; side < 2; ++side) {
    const Ring ring(memory + side * layout.right_at(), layout.chorus_size, places.chorus);
    const float turned = c.depth_frames * dsp::approx::sine_of_phase(phase + (side == 0 ? 0 : 0x4000'0000U));
    for (const float away : {rates.chorus_frames + turned, rates.chorus_frames - turned})
      ask(ring.samples + ring.Ago(static_cast<int>(away)));
  }
  const Ring echo(memory + layout.delay_at(), layout.delay_size, places.delay);
  for (const int frames : {state.delay_frames + 1, state.right_frames, 0})
    ask(echo.samples + echo.Ago(frames));
  const float* line = memory + layout.lines_at();
  for (std::size_t i = 0; i < SpaceRule::kLines; ++i) {
    ask(line + places.lines[i]);
    line += layout.line_sizes[i] + SpaceRule::Layout::kGuard;
  }
}

/// SpaceRule's listen(), read() and write() of some frames.
HWY_INLINE void Space(const SpaceRule::Rates& rates, const SpaceRule::Constants& c,
                      const SpaceRule::State& state, const SpaceRule::Places& places, float* memory,
                      Frames frames, float* HWY_RESTRICT left, float* HWY_RESTRICT right) {
  HWY_ALIGN float in[kChunkFrames];
  for (std::size_t n = 0; n < frames.count; n += hn::Lanes(FloatTag())) {
    const Float both = hn::Add(hn::Load(FloatTag(), left + n), hn::Load(FloatTag(), right + n));
    hn::Store(hn::Mul(both, Set(0.5F)), FloatTag(), in + n);
  }
  Chorus(rates, c, state, places, memory, frames, left, right);
  Echo(rates, state, places, memory, frames, in, left, right);
  Room(rates, c, state, places, memory, frames, in, left, right);
}

}  // namespace ringwave::synth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
