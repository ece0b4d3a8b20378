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
    const float a1 = reciprocal(fused(c.g, c.g + c.k, 1));
    const float a2 = c.g * a1;
    const float rest = x - state.second;
    const float band = fused(a1, state.first, a2 * rest);
    const float low = fused(c.g, band, state.second);
    state.first = fused(2, band, -state.first);
    state.second = fused(2, low, -state.second);
    return {low, band, fused(-c.k, band, x) - low};
  }
};

}  // namespace ringwave::synth
