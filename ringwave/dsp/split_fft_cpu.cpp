// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/split_fft_cpu.hpp"

#include <algorithm>
#include <bit>
#include <numbers>

namespace ringwave::dsp {

using spectral::kLanes;
using spectral::kLineFloats;

SplitFft::SplitFft(int frames, int radix)
    : radix_(static_cast<std::size_t>(radix)),
      radix_bits_(static_cast<unsigned>(std::countr_zero(radix_))),
      row_(2 * static_cast<std::size_t>(frames) / radix_),
      bins_(row_ / 2 + 1),
      stride_((bins_ + 7) / 8 * 8),  // whole cache lines
      chunks_((bins_ + kLanes - 1) / kLanes),
      fft_(Device::cpu(), {.size = 2 * frames / radix, .scaling = Fft::Scaling::none}),
      factors_(chunks_ * radix_ * kLineFloats) {
  const double step = -2 * std::numbers::pi / static_cast<double>(points());
  for (std::size_t chunk = 0; chunk < chunks_; ++chunk)
    for (std::size_t j = 0; j < radix_; ++j)
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const auto turns = j * (chunk * kLanes + lane);
        const std::complex<double> factor = std::polar(1.0, step * static_cast<double>(turns));
        float* const line = factors_.data() + (chunk * radix_ + j) * kLineFloats;
        line[lane] = static_cast<float>(factor.real());
        line[kLanes + lane] = static_cast<float>(factor.imag());
      }
  for (int n = 0; n < radix / 2; ++n) roots_.emplace_back(std::polar(1.0, -2 * std::numbers::pi * n / radix));
}

spectral::Twiddles SplitFft::twiddles(std::size_t chunk) const noexcept {
  return {factors_.data() + chunk * radix_ * kLineFloats, roots_.data(), radix_};
}

std::size_t SplitFft::lanes(std::size_t chunk) const noexcept {
  return std::min(kLanes, bins_ - chunk * kLanes);
}

void SplitFft::forward_row(std::size_t row, const float* signal, Complex* small) noexcept {
  (void)fft_.forward({signal + row * row_, row_}, {small + row * stride_, bins_});
}

void SplitFft::inverse_row(std::size_t row, Complex* small, float* signal) noexcept {
  (void)fft_.inverse({small + row * stride_, bins_}, {signal + row * row_, row_});
}

void SplitFft::forward_chunk(std::size_t chunk, const Complex* small, spectral::Lines lines) const noexcept {
  spectral::forward(twiddles(chunk), small + chunk * kLanes, stride_, lanes(chunk), lines);
}

void SplitFft::inverse_chunk(std::size_t chunk, spectral::Lines lines, Complex* small) const noexcept {
  spectral::inverse(twiddles(chunk), lines, small + chunk * kLanes, stride_, lanes(chunk));
}

}  // namespace ringwave::dsp
