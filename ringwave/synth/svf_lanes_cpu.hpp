// SPDX-License-Identifier: Apache-2.0
// Included once for each instruction set, so that the guard is one that turns.
#if defined(RINGWAVE_SYNTH_SVF_LANES_CPU) == defined(HWY_TARGET_TOGGLE)
#ifdef RINGWAVE_SYNTH_SVF_LANES_CPU
#undef RINGWAVE_SYNTH_SVF_LANES_CPU
#else
#define RINGWAVE_SYNTH_SVF_LANES_CPU
#endif

#include <hwy/highway.h>

#include "ringwave/synth/wave_lanes_cpu.hpp"

// For voices and for the filters of the loudness; see wave_lanes_cpu.hpp.
HWY_BEFORE_NAMESPACE();
namespace ringwave::synth::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// SvfRule, in lanes.
struct SvfLanes {
  Float g;
  Float k;
  Float a1;
  Float a2;

  struct State {
    Float first;
    Float second;
  };
  struct Out {
    Float low;
    Float band;
    Float high;
  };

  HWY_INLINE SvfLanes(Float the_g, Float the_k)
      : g(the_g),
        k(the_k),
        a1(hn::Div(Set(1), hn::Add(hn::Mul(g, hn::Add(g, k)), Set(1)))),
        a2(hn::Mul(g, a1)) {}

  [[nodiscard]] HWY_INLINE Out Step(State& state, Float x) const {
    const Float rest = hn::Sub(x, state.second);
    const Float band = hn::Add(hn::Mul(a1, state.first), hn::Mul(a2, rest));
    const Float low = hn::Add(hn::Mul(g, band), state.second);
    state.first = hn::Sub(hn::Mul(Set(2), band), state.first);
    state.second = hn::Sub(hn::Mul(Set(2), low), state.second);
    return {low, band, hn::Sub(hn::Sub(x, hn::Mul(k, band)), low)};
  }
};

}  // namespace ringwave::synth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
