// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "ringwave/core/aligned_floats.hpp"
#include "ringwave/dsp/fft.hpp"
#include "ringwave/dsp/spectral_chunk_cpu.hpp"

namespace ringwave::dsp {

/// A real transform of 2 N points in pieces that can be done one at a time: `radix` small transforms, and
/// chunks of bins. See spectral_chunk_cpu.hpp for the formula.
///
/// Its signals lie in rows: sample t in row t mod radix, column t / radix, so that each small transform reads
/// one row.
class SplitFft {
 public:
  /// Of 2 * `frames` points, which 2 * `radix`, a power of two, divides. Throws OutOfMemory. [setup]
  SplitFft(int frames, int radix);

  [[nodiscard]] std::size_t radix() const noexcept { return radix_; }
  [[nodiscard]] std::size_t chunks() const noexcept { return chunks_; }
  [[nodiscard]] std::size_t points() const noexcept { return radix_ * row_; }
  /// Values of all small spectra together. [any]
  [[nodiscard]] std::size_t small_values() const noexcept { return radix_ * stride_; }
  /// Where sample `t` of a signal lies. [any]
  [[nodiscard]] std::size_t place(std::size_t t) const noexcept {
    return (t & (radix_ - 1)) * row_ + (t >> radix_bits_);
  }

  /// Calls `visit(n, place)` for `count` samples from sample `t` on, n counted from 0, in no particular
  /// order: row by row, because a row's samples lie together. [any]
  template <class Visit>
  void for_each_place(std::size_t t, std::size_t count, Visit&& visit) const {
    if (radix_ == 1) {  // a loop of its own, which the compiler can turn into vectors
      for (std::size_t n = 0; n < count; ++n) visit(n, t + n);
      return;
    }
    for (std::size_t row = 0; row < radix_; ++row) {
      const std::size_t first = (row - t) & (radix_ - 1);
      std::size_t at = place(t + first);
      for (std::size_t n = first; n < count; n += radix_) visit(n, at++);
    }
  }

  /// One row into its small spectrum, and back without a factor. [audio]
  void forward_row(std::size_t row, const float* signal, Complex* small) noexcept;
  void inverse_row(std::size_t row, Complex* small, float* signal) noexcept;

  /// A chunk of all small spectra into `radix` lines, and back. [audio]
  void forward_chunk(std::size_t chunk, const Complex* small, spectral::Lines lines) const noexcept;
  void inverse_chunk(std::size_t chunk, spectral::Lines lines, Complex* small) const noexcept;

 private:
  [[nodiscard]] spectral::Twiddles twiddles(std::size_t chunk) const noexcept;
  [[nodiscard]] std::size_t lanes(std::size_t chunk) const noexcept;

  std::size_t radix_;
  unsigned radix_bits_;
  std::size_t row_;     // points of a small transform
  std::size_t bins_;    // of a small transform
  std::size_t stride_;  // from one small spectrum to the next
  std::size_t chunks_;
  Fft fft_;
  AlignedFloats factors_;       // [chunk][radix] lines
  std::vector<Complex> roots_;  // of the transform across lines
};

}  // namespace ringwave::dsp
