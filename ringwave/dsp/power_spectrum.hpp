// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ringwave/core/aligned_floats.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/dsp/fft.hpp"
#include "ringwave/dsp/window.hpp"

namespace ringwave::dsp {

/// What meters see of one frame of a signal, N samples long:
///
///   P[k] = |g / W sum w[n] x[n] e^(-2 pi i k n / N)|^2,   W = sum w[n],   g = 2, and 1 where k is 0 or N/2
///
/// so that a sine of amplitude 1 in the middle of a bin has the power 1 there: 0 dB is a sine of full scale,
/// and a constant of 1. With more points than samples N is the number of points, and x is 0 behind them.
class PowerSpectrum {
 public:
  static constexpr int kLeastSize = 16;
  static constexpr int kMostSize = 1 << 20;
  static constexpr float kFloorDb = -200;   ///< what silence shows
  static constexpr float kLoudest = 1e15F;  ///< beyond it a sample's square does not fit a float

  /// Plans and allocates, for frames of `size` samples and transforms of as many points. Throws
  /// InvalidArgument for a size that is odd or out of range. [setup]
  PowerSpectrum(const Window& window, int size) : PowerSpectrum(window, size, size) {}

  /// The same with transforms of `points`, at least `size`: bins that lie closer. [setup]
  PowerSpectrum(const Window& window, int size, int points);

  /// The powers of the bins 0 to N/2 of a frame that lies in two parts, `older` before `newer`, size()
  /// samples together; valid until the next call. All samples are finite and within kLoudest. [audio]
  RW_REALTIME std::span<const float> of(std::span<const float> older, std::span<const float> newer) noexcept;

  /// sum P over all bins of a sine, where P is 1 at its middle: 1.5 for Hann. A sum of bins is divided by it,
  /// so that it is the power of what sounds there. [any]
  [[nodiscard]] double noise_bandwidth_bins() const noexcept { return noise_bandwidth_bins_; }

  [[nodiscard]] int size() const noexcept { return static_cast<int>(window_.size()); }
  [[nodiscard]] int bin_count() const noexcept { return fft_.bin_count(); }

  /// A power in decibels, kFloorDb at least. [any]
  RW_REALTIME static float to_db(double power) noexcept;

  /// The sample as meters take it: one that is no number is silence and adds to `nonfinite`, and none is
  /// beyond kLoudest. [audio]
  RW_REALTIME static float tamed(float sample, std::uint64_t& nonfinite) noexcept;

 private:
  std::vector<float> window_;  // times 2 / W
  double noise_bandwidth_bins_;
  Fft fft_;
  AlignedFloats frame_;
  AlignedFloats bins_;
  std::vector<float> powers_;
};

}  // namespace ringwave::dsp
