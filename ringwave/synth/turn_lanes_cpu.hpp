// SPDX-License-Identifier: Apache-2.0
// Included once for each instruction set, so that the guard is one that turns.
#if defined(RINGWAVE_SYNTH_TURN_LANES_CPU) == defined(HWY_TARGET_TOGGLE)
#ifdef RINGWAVE_SYNTH_TURN_LANES_CPU
#undef RINGWAVE_SYNTH_TURN_LANES_CPU
#else
#define RINGWAVE_SYNTH_TURN_LANES_CPU
#endif

#include <hwy/highway.h>

#include "ringwave/synth/knob_math.hpp"
#include "ringwave/synth/wave_lanes_cpu.hpp"

// Between a tile, which has the lanes of a frame side by side, and rows, which have the frames of a lane side
// by side.
HWY_BEFORE_NAMESPACE();
namespace ringwave::synth::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR  // which has no four
/// Four times four numbers, turned over.
HWY_INLINE void TurnFour(const float* HWY_RESTRICT from, std::size_t from_stride, float* HWY_RESTRICT to,
                         std::size_t to_stride) {
  const hn::FixedTag<float, 4> d;
  const auto a = hn::LoadU(d, from);
  const auto b = hn::LoadU(d, from + from_stride);
  const auto e = hn::LoadU(d, from + 2 * from_stride);
  const auto f = hn::LoadU(d, from + 3 * from_stride);
  const auto ae_low = hn::InterleaveLower(d, a, e);
  const auto bf_low = hn::InterleaveLower(d, b, f);
  const auto ae_high = hn::InterleaveUpper(d, a, e);
  const auto bf_high = hn::InterleaveUpper(d, b, f);
  hn::StoreU(hn::InterleaveLower(d, ae_low, bf_low), d, to);
  hn::StoreU(hn::InterleaveUpper(d, ae_low, bf_low), d, to + to_stride);
  hn::StoreU(hn::InterleaveLower(d, ae_high, bf_high), d, to + 2 * to_stride);
  hn::StoreU(hn::InterleaveUpper(d, ae_high, bf_high), d, to + 3 * to_stride);
}
#endif

/// Frames of lanes to rows of frames.
HWY_NOINLINE inline void Turn(const float* HWY_RESTRICT tile, std::size_t frames,
                              float (*HWY_RESTRICT rows)[kChunkFrames]) {
  const std::size_t stride = hn::Lanes(FloatTag());
  std::size_t n = 0;
#if HWY_TARGET != HWY_SCALAR
  for (; n + 4 <= frames; n += 4)
    for (std::size_t lane = 0; lane < stride; lane += 4)
      TurnFour(tile + n * stride + lane, stride, rows[lane] + n, kChunkFrames);
#endif
  for (; n < frames; ++n)
    for (std::size_t lane = 0; lane < stride; ++lane) rows[lane][n] = tile[n * stride + lane];
}

/// And back.
HWY_NOINLINE inline void TurnBack(const float (*HWY_RESTRICT rows)[kChunkFrames], std::size_t frames,
                                  float* HWY_RESTRICT tile) {
  const std::size_t stride = hn::Lanes(FloatTag());
  std::size_t n = 0;
#if HWY_TARGET != HWY_SCALAR
  for (; n + 4 <= frames; n += 4)
    for (std::size_t lane = 0; lane < stride; lane += 4)
      TurnFour(rows[lane] + n, kChunkFrames, tile + n * stride + lane, stride);
#endif
  for (; n < frames; ++n)
    for (std::size_t lane = 0; lane < stride; ++lane) tile[n * stride + lane] = rows[lane][n];
}

}  // namespace ringwave::synth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
