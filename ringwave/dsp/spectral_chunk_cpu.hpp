// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "ringwave/dsp/fft.hpp"

/// The arithmetic of partitioned convolution on small pieces of spectra, for the widest vectors that the
/// processor has.
///
/// A transform of F real points is taken apart into `radix` transforms of M = F / radix points, of the
/// samples j, j + radix, j + 2 radix …: X_j. From them, for every k from 0 to M/2,
///
///   X[k + q M] = sum over j of  e^(-2 pi i j q / radix)  e^(-2 pi i j k / F)  X_j[k]
///
/// and nothing of another k is needed: so the whole product of two spectra, from the X_j of the input to the
/// Y_j of the output, is done for a few k at a time. kLanes of them are a chunk. A line is one q of a chunk,
/// real parts then imaginary ones; the lines stand in bit-reversed order, which no product minds.
namespace ringwave::dsp::spectral {

inline constexpr std::size_t kLanes = 16;
inline constexpr std::size_t kLineFloats = 2 * kLanes;

/// The factors of one chunk: e^(-2 pi i j k / F) as lines, and those of the small transform across lines.
struct Twiddles {
  const float* chunk = nullptr;    ///< [radix] lines
  const Complex* roots = nullptr;  ///< e^(-2 pi i n / radix), n below radix / 2
  std::size_t radix = 1;
};

/// Where lines lie: each `step` floats after the one before.
struct Lines {
  float* first = nullptr;
  std::size_t step = kLineFloats;
};

/// Turns `count` values of each X_j into lines; X_j begins `stride` values after X_(j-1). [audio]
void forward(const Twiddles& twiddles, const Complex* small, std::size_t stride, std::size_t count,
             Lines lines) noexcept;

/// Turns lines into the Y_j, without the factor 1 / F. Spoils the lines. [audio]
void inverse(const Twiddles& twiddles, Lines lines, Complex* small, std::size_t stride,
             std::size_t count) noexcept;

/// For `lines` lines:  line (+)= sum over p of  x[newest - p mod parts] h[p],  where x and h have `parts`
/// lines for each, one behind the other. Adds, or writes where `add` is false. [audio]
void multiply(const float* x, std::size_t newest, const float* h, std::size_t parts, std::size_t lines,
              bool add, float* out) noexcept;

}  // namespace ringwave::dsp::spectral
