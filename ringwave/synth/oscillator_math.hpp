// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/core/fused_math.hpp"
#include "ringwave/core/host_device.hpp"
#include "ringwave/dsp/approx_math.hpp"

/// Waves without audible aliases. A jump or a corner between samples is drawn as a cubic B-spline would have
/// it sampled: over the four samples around it, what the spline's integral has beyond the jump itself is
/// added (Välimäki, Pekonen and Nam 2012). That costs a few products where a wave turns and nothing
/// elsewhere, on either backend.
namespace ringwave::synth {

/// Where a wave is in its turn: 2^32 is a whole one. It wraps by itself and adds up exactly, so a wave is the
/// same for blocks of any size, for hours.
using Phase = std::uint32_t;

/// How fast a wave turns.
struct Pace {
  /// NOLINTNEXTLINE(google-explicit-constructor): a step is all there is to it
  RW_HOST_DEVICE Pace(Phase a_step) : Pace(a_step, reciprocal(static_cast<float>(a_step))) {}
  RW_HOST_DEVICE Pace(Phase a_step, float an_inverse) : step(a_step), inverse(an_inverse) {}

  Phase step;     ///< in a sample, more than 0
  float inverse;  ///< 1 / step
};

/// What a band-limited step from 0 to 1 has beyond the step itself, `t` samples after it.
[[nodiscard]] RW_HOST_DEVICE inline float step_residual(float t) {
  const float d = t < 0 ? -t : t;
  const float far = 2 - d;
  const float inner = fused(d, fused(d * d, fused(d, -0.125F, 1.0F / 3), -2.0F / 3), 0.5F);
  const float outer = far * far * far * far * (1.0F / 24);
  const float r = d < 1 ? inner : d < 2 ? outer : 0;
  return t < 0 ? r : -r;
}

/// What a band-limited corner, where a line begins to rise by 1 a sample, has beyond the corner itself, `t`
/// samples before or after it.
[[nodiscard]] RW_HOST_DEVICE inline float corner_residual(float t) {
  const float d = t < 0 ? -t : t;
  const float far = 2 - d;
  const float inner =
      fused(d, fused(d, fused(d * d, fused(d, 1.0F / 40, -1.0F / 12), 1.0F / 3), -0.5F), 7.0F / 30);
  const float outer = far * far * far * far * far * (1.0F / 120);
  return d < 1 ? inner : d < 2 ? outer : 0;
}

/// Samples from the nearest beginning of a turn to `phase`; negative before it.
[[nodiscard]] RW_HOST_DEVICE inline float samples_from_wrap(Phase phase, Pace pace) {
  return static_cast<float>(static_cast<std::int32_t>(phase)) * pace.inverse;
}

/// From -1 at the beginning of a turn to 1 at its end.
[[nodiscard]] RW_HOST_DEVICE inline float saw(Phase phase, Pace pace) {
  return fused(-2, step_residual(samples_from_wrap(phase, pace)),
               fused(static_cast<float>(phase), 0x1p-31F, -1));
}

/// Up for `width` of a turn, then down; 2 from top to bottom and without a constant part, whatever the width.
[[nodiscard]] RW_HOST_DEVICE inline float pulse(Phase phase, Pace pace, Phase width) {
  return saw(phase - width, pace) - saw(phase, pace);
}

/// From -1 at the beginning of a turn up to 1 in its middle and back.
[[nodiscard]] RW_HOST_DEVICE inline float triangle(Phase phase, Pace pace) {
  constexpr Phase kHalf = 0x8000'0000U;
  const auto away = static_cast<std::int32_t>(phase);  // from the nearest beginning
  const float plain = (away < 0 ? -0x1p-30F : 0x1p-30F) * static_cast<float>(away) - 1;
  const float bend = static_cast<float>(pace.step) * 0x1p-29F;  // 8 a turn
  return fused(bend,
               corner_residual(samples_from_wrap(phase, pace)) -
                   corner_residual(samples_from_wrap(phase + kHalf, pace)),
               plain);
}

}  // namespace ringwave::synth
