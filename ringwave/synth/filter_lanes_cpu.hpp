// SPDX-License-Identifier: Apache-2.0
// Included once for each instruction set, so that the guard is one that turns.
#if defined(RINGWAVE_SYNTH_FILTER_LANES_CPU) == defined(HWY_TARGET_TOGGLE)
#ifdef RINGWAVE_SYNTH_FILTER_LANES_CPU
#undef RINGWAVE_SYNTH_FILTER_LANES_CPU
#else
#define RINGWAVE_SYNTH_FILTER_LANES_CPU
#endif

#include <hwy/highway.h>

#include "ringwave/synth/station_lanes_cpu.hpp"
#include "ringwave/synth/svf_lanes_cpu.hpp"
#include "ringwave/synth/turn_lanes_cpu.hpp"
#include "ringwave/synth/wave_lanes_cpu.hpp"

// ToneRule and LoudnessRule's filters, a station a lane: a frame waits for the one before.
HWY_BEFORE_NAMESPACE();
namespace ringwave::synth::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The stations in the lanes.
struct Seats {
  const StationRows::Station* stations;
  std::size_t count;

  /// A number of each, which `member` finds in a state; 0 where no station is.
  template <class Member>
  [[nodiscard]] HWY_INLINE Float Get(Member member) const {
    HWY_ALIGN float numbers[StationRows::kMost] = {};
    for (std::size_t lane = 0; lane < count; ++lane) numbers[lane] = member(*stations[lane].state);
    return hn::Load(FloatTag(), numbers);
  }

  template <class Member>
  HWY_INLINE void Put(Float value, Member member) const {
    HWY_ALIGN float numbers[StationRows::kMost] = {};
    hn::Store(value, FloatTag(), numbers);
    for (std::size_t lane = 0; lane < count; ++lane) member(*stations[lane].state) = numbers[lane];
  }
};

/// A tile of either side.
struct Tiles {
  alignas(64) float left[kChunkFrames * StationRows::kMost];
  alignas(64) float right[kChunkFrames * StationRows::kMost];
};

/// A knob in lanes.
struct KnobLanes {
  Float from;
  Float slope;

  template <class Member>
  HWY_INLINE KnobLanes(const Seats& seats, Member knob)
      : from(seats.Get([knob](auto& state) { return knob(state).from; })),
        slope(seats.Get([knob](auto& state) { return knob(state).to - knob(state).from; })) {}

  [[nodiscard]] HWY_INLINE Float At(std::size_t frame) const {
    return hn::Add(from, hn::Mul(slope, Set(static_cast<float>(frame + 1) * (1.0F / kChunkFrames))));
  }
};

/// ToneRule's memory of a side.
struct ToneLanes {
  std::size_t side;
  Float low;
  Float low_of_treble;

  HWY_INLINE ToneLanes(const Seats& seats, std::size_t the_side)
      : side(the_side),
        low(seats.Get([the_side](auto& state) { return state.tone[the_side].low; })),
        low_of_treble(seats.Get([the_side](auto& state) { return state.tone[the_side].low_of_treble; })) {}

  HWY_INLINE void Save(const Seats& seats) const {
    seats.Put(low, [this](auto& state) -> float& { return state.tone[side].low; });
    seats.Put(low_of_treble, [this](auto& state) -> float& { return state.tone[side].low_of_treble; });
  }

  /// `bass` and `treble` are less 1.
  [[nodiscard]] HWY_INLINE Float Step(const ToneRule::Rates& rates, Float bass, Float treble, Float x) {
    const Float y = hn::Add(x, hn::Mul(bass, LowPass(Set(rates.bass), low, x)));
    return hn::Add(y, hn::Mul(treble, hn::Sub(y, LowPass(Set(rates.treble), low_of_treble, y))));
  }

 private:
  [[nodiscard]] HWY_INLINE static Float LowPass(Float share, Float& memory, Float x) {
    const Float v = hn::Mul(share, hn::Sub(x, memory));
    const Float passed = hn::Add(memory, v);
    memory = hn::Add(passed, v);
    return passed;
  }
};

/// The tone of the stations in the lanes, from frame `first` of a chunk on. Both sides' knobs are the same.
HWY_NOINLINE inline void Tone(const ToneRule::Rates& rates, const Seats& seats, std::size_t first,
                              std::size_t frames, Tiles& tiles) {
  const std::size_t stride = hn::Lanes(FloatTag());
  const KnobLanes bass(seats, [](auto& state) { return state.tone[0].bass; });
  const KnobLanes treble(seats, [](auto& state) { return state.tone[0].treble; });
  ToneLanes left(seats, 0);
  ToneLanes right(seats, 1);
  for (std::size_t n = 0; n < frames; ++n) {
    const Float bass_now = hn::Sub(bass.At(first + n), Set(1));
    const Float treble_now = hn::Sub(treble.At(first + n), Set(1));
    float* const left_at = tiles.left + n * stride;
    float* const right_at = tiles.right + n * stride;
    hn::Store(left.Step(rates, bass_now, treble_now, hn::Load(FloatTag(), left_at)), FloatTag(), left_at);
    hn::Store(right.Step(rates, bass_now, treble_now, hn::Load(FloatTag(), right_at)), FloatTag(), right_at);
  }
  left.Save(seats);
  right.Save(seats);
}

/// LoudnessRule of a side.
struct LoudnessLanes {
  std::size_t side;
  SvfLanes::State shelf;
  SvfLanes::State high_pass;
  Float energy;

  HWY_INLINE LoudnessLanes(const Seats& seats, std::size_t the_side)
      : side(the_side),
        shelf{seats.Get([the_side](auto& state) { return state.sides[the_side].shelf.first; }),
              seats.Get([the_side](auto& state) { return state.sides[the_side].shelf.second; })},
        high_pass{seats.Get([the_side](auto& state) { return state.sides[the_side].high_pass.first; }),
                  seats.Get([the_side](auto& state) { return state.sides[the_side].high_pass.second; })},
        energy(seats.Get([the_side](auto& state) { return state.sides[the_side].energy; })) {}

  HWY_INLINE void Save(const Seats& seats) const {
    seats.Put(shelf.first, [this](auto& state) -> float& { return state.sides[side].shelf.first; });
    seats.Put(shelf.second, [this](auto& state) -> float& { return state.sides[side].shelf.second; });
    seats.Put(high_pass.first, [this](auto& state) -> float& { return state.sides[side].high_pass.first; });
    seats.Put(high_pass.second, [this](auto& state) -> float& { return state.sides[side].high_pass.second; });
    seats.Put(energy, [this](auto& state) -> float& { return state.sides[side].energy; });
  }

  HWY_INLINE void Step(const LoudnessRule::Rates& rates, const SvfLanes& shelf_rule,
                       const SvfLanes& high_pass_rule, Float x) {
    const SvfLanes::Out out = shelf_rule.Step(shelf, x);
    const Float high = hn::Mul(Set(rates.shelf_high), out.high);
    const Float y = hn::Add(hn::Add(high, hn::Mul(Set(rates.shelf_band), out.band)), out.low);
    const Float z = hn::Mul(Set(rates.high_pass_gain), high_pass_rule.Step(high_pass, y).high);
    energy = hn::Add(energy, hn::Mul(z, z));
  }
};

HWY_NOINLINE inline void Loudness(const LoudnessRule::Rates& rates, const Seats& seats, std::size_t frames,
                                  const Tiles& tiles) {
  const std::size_t stride = hn::Lanes(FloatTag());
  const SvfLanes shelf(Set(rates.shelf.g), Set(rates.shelf.k));
  const SvfLanes high_pass(Set(rates.high_pass.g), Set(rates.high_pass.k));
  LoudnessLanes left(seats, 0);
  LoudnessLanes right(seats, 1);
  for (std::size_t n = 0; n < frames; ++n) {
    left.Step(rates, shelf, high_pass, hn::Load(FloatTag(), tiles.left + n * stride));
    right.Step(rates, shelf, high_pass, hn::Load(FloatTag(), tiles.right + n * stride));
  }
  left.Save(seats);
  right.Save(seats);
}

}  // namespace ringwave::synth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
