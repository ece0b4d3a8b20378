// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/line_dft.hpp"

#include <algorithm>
#include <cstdint>
#include <numbers>

namespace ringwave::dsp {
namespace {

float* floats(std::vector<Complex>& values) noexcept {
  return reinterpret_cast<float*>(values.data());
}

std::shared_ptr<const FftwPlan> plan_of(int size, bool forward) {
  return FftwPlan::of({.size = size,
                       .real = false,
                       .forward = forward,
                       .aligned = false,
                       .in_distance = size,
                       .out_distance = size});
}

/// Plain, because the library's product looks for NaN in every term.
Complex times(Complex a, Complex b) noexcept {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

LineDft::LineDft(int size) : size_(static_cast<std::size_t>(size)) {
  const int fast = fast_fft_size(size) == size ? size : fast_fft_size(2 * size - 1);
  in_.resize(static_cast<std::size_t>(fast));
  out_.resize(static_cast<std::size_t>(fast));
  there_ = plan_of(fast, true);
  back_ = plan_of(fast, false);
  if (fast == size) return;
  chirp_.resize(size_);
  std::vector<Complex> wrapped(in_.size());
  for (std::uint64_t n = 0; n < size_; ++n) {
    // The square is reduced before it becomes an angle: e^(-pi i m / N) repeats after m = 2 N.
    const double angle =
        std::numbers::pi * static_cast<double>(n * n % (2 * size_)) / static_cast<double>(size);
    chirp_[n] = Complex(std::polar(1.0, -angle));
    wrapped[n] = wrapped[(in_.size() - n) % in_.size()] =
        Complex(std::polar(1.0, angle) / static_cast<double>(fast));
  }
  chirp_spectrum_.resize(in_.size());
  there_->execute(floats(wrapped), floats(chirp_spectrum_));
}

void LineDft::run(bool forward) noexcept {
  if (forward) return run_forward();
  if (chirp_.empty()) return back_->execute(floats(in_), floats(out_));
  for (std::size_t n = 0; n < size_; ++n) in_[n] = std::conj(in_[n]);
  run_forward();
  for (std::size_t k = 0; k < size_; ++k) out_[k] = std::conj(out_[k]);
}

void LineDft::run_forward() noexcept {
  if (chirp_.empty()) return there_->execute(floats(in_), floats(out_));
  for (std::size_t n = 0; n < size_; ++n) in_[n] = times(in_[n], chirp_[n]);
  std::fill(in_.begin() + static_cast<std::ptrdiff_t>(size_), in_.end(), Complex{});
  there_->execute(floats(in_), floats(out_));
  for (std::size_t k = 0; k < out_.size(); ++k) in_[k] = times(out_[k], chirp_spectrum_[k]);
  back_->execute(floats(in_), floats(out_));
  for (std::size_t k = 0; k < size_; ++k) out_[k] = times(out_[k], chirp_[k]);
}

}  // namespace ringwave::dsp
