// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "ringwave/core/realtime.hpp"
#include "ringwave/dsp/fft.hpp"
#include "ringwave/dsp/fftw_plan.hpp"

namespace ringwave::dsp {

/// One complex transform of any length, between arrays of its own, that never allocates while it runs: what
/// FFTW itself does not promise for odd real lengths and for lengths with large prime factors.
///
/// A length with a factor beyond 7 is a convolution with a chirp (Bluestein):  with w[n] = e^(-pi i n n / N),
///   X[k] = w[k] sum (x[n] w[n]) conj(w[k - n])
/// which two transforms of a fast length do.
class LineDft {
 public:
  /// Throws OutOfMemory. [setup]
  explicit LineDft(int size);

  /// What is transformed next; `size` values. [any]
  [[nodiscard]] Complex* in() noexcept { return in_.data(); }
  /// The result of the last run. [any]
  [[nodiscard]] const Complex* out() const noexcept { return out_.data(); }

  /// Transforms in() into out(), without a factor; in() is left in no particular state. [audio]
  RW_REALTIME void run(bool forward) noexcept;

 private:
  void run_forward() noexcept;

  std::size_t size_;
  std::vector<Complex> in_;
  std::vector<Complex> out_;
  std::vector<Complex> chirp_;           // w; empty for a fast length
  std::vector<Complex> chirp_spectrum_;  // of conj(w), over the fast length, with its 1/M
  std::shared_ptr<const FftwPlan> there_;
  std::shared_ptr<const FftwPlan> back_;
};

}  // namespace ringwave::dsp
