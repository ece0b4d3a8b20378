// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/core/fused_math.hpp"
#include "ringwave/core/host_device.hpp"
#include "ringwave/dsp/approx_math.hpp"

namespace ringwave::synth {

/// The rule of a state-variable filter with two integrators, by the trapezoidal rule (Zavalishin, The Art of
/// VA Filter Design): stable however fast its cutoff moves, because its memory holds voltages and no
/// coefficients.
struct SvfRule {
  struct Constants {
    float g = 0;  ///< tan(pi cutoff / sample rate)
    float k = 2;  ///< 1 / Q: 2 does not ring at all, 0.02 rings long
  };
  struct State {
    float first = 0;  // of the integrators
    float second = 0;
  };
  struct Out {
    float low;
    float band;  ///< times k it is 1 at the cutoff
    float high;
  };

  /// Of a cutoff as a share of the sample rate, 0 to 0.49. [any]
  [[nodiscard]] RW_HOST_DEVICE static float g_of(float cutoff) {
    return dsp::approx::tangent(cutoff < 0 ? 0 : (cutoff > 0.49F ? 0.49F : cutoff));
  }

  [[nodiscard]] RW_HOST_DEVICE static Out step(const Constants& c, State& state, float x) {
    const Poles poles = advance(gains_of(c), state, x);
    return out_of(c, x, poles);
  }

  // A step in three, for those who do the first and the last of many at once.

  struct Gains {
    float first;
    float second;
    float g;
  };
  struct Poles {
    float low;
    float band;
  };

  [[nodiscard]] RW_HOST_DEVICE static Gains gains_of(const Constants& c) {
    const float first = reciprocal(fused(c.g, c.g + c.k, 1));
    return {first, c.g * first, c.g};
  }

  [[nodiscard]] RW_HOST_DEVICE static Poles advance(const Gains& gains, State& state, float x) {
    const float rest = x - state.second;
    const float band = fused(gains.first, state.first, gains.second * rest);
    const float low = fused(gains.g, band, state.second);
    state.first = fused(2, band, -state.first);
    state.second = fused(2, low, -state.second);
    return {low, band};
  }

  [[nodiscard]] RW_HOST_DEVICE static Out out_of(const Constants& c, float x, const Poles& poles) {
    return {poles.low, poles.band, fused(-c.k, poles.band, x) - poles.low};
  }
};

}  // namespace ringwave::synth
