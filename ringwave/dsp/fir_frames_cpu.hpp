// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace ringwave::dsp {

/// Samples behind the last that its formula needs that filter_frames() may read, whatever they are.
inline constexpr std::size_t kReadBeyond = 64;

/// How a frame's sum depends on where its block begins.
enum class FrameSums : unsigned char {
  same,     ///< not by a bit
  fastest,  ///< by its rounding: blocks of a few frames take another way
};

/// A filter without feedback, as its formula stands:  y[n] += sum over k of  h[k] x[n + k]  for `frames`
/// frames, where h has the last tap first and x begins with the past. y lies apart from h and x. [audio]
void filter_frames(std::span<const float> h, const float* x, float* y, std::size_t frames,
                   FrameSums sums) noexcept;

}  // namespace ringwave::dsp
