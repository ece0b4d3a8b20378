// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "ringwave/core/aligned_floats.hpp"
#include "ringwave/dsp/split_fft_cpu.hpp"

namespace ringwave::dsp {

/// The spectra of several equal parts of a signal, line by line: all parts of one line lie together, because
/// the product of two such sets reads them in one go.
class SpectralLines {
 public:
  SpectralLines(std::size_t chunks, std::size_t radix, std::size_t parts)
      : radix_(radix), parts_(parts), floats_(chunks * radix * parts * spectral::kLineFloats) {}

  /// Every part of a line, one behind the other. [any]
  [[nodiscard]] float* line(std::size_t chunk, std::size_t index) const noexcept {
    return floats_.data() + (chunk * radix_ + index) * parts_ * spectral::kLineFloats;
  }
  /// The lines of one part of a chunk. [any]
  [[nodiscard]] spectral::Lines part(std::size_t chunk, std::size_t index) const noexcept {
    return {line(chunk, 0) + index * spectral::kLineFloats, parts_ * spectral::kLineFloats};
  }
  [[nodiscard]] std::size_t parts() const noexcept { return parts_; }
  void clear() noexcept { floats_.clear(); }

 private:
  std::size_t radix_;
  std::size_t parts_;
  AlignedFloats floats_;
};

/// The spectra of the parts of `taps`, of half the transform's length each, with the factor that makes there
/// and back the signal itself. [setup]
[[nodiscard]] SpectralLines spectra_of(SplitFft& fft, std::span<const float> taps, std::size_t parts);

}  // namespace ringwave::dsp
