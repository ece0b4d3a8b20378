// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>

#include "ringwave/core/device.hpp"
#include "ringwave/dsp/fft.hpp"
#include "ringwave/dsp/transform_twin.hpp"

namespace ringwave::dsp {

/// Bins of one transform. [any]
[[nodiscard]] inline int bins_of(const Fft::Spec& spec) noexcept {
  return spec.kind == Fft::Kind::real ? spec.size / 2 + 1 : spec.size;
}

/// One side of a batch: element n of transform b is at b * distance + n * stride, and has one float or two.
struct FftSide {
  Fft::Layout layout;
  int elements;  ///< of a transform
  int batch;
  int floats;  ///< of an element

  /// Where an element begins, in floats. [any]
  [[nodiscard]] std::ptrdiff_t at(int b, int n) const noexcept {
    return (b * layout.distance + n * layout.stride) * floats;
  }
  /// Floats from the first to the last, with what lies between. [any]
  [[nodiscard]] std::size_t extent() const noexcept {
    return static_cast<std::size_t>(at(batch - 1, elements - 1) + floats);
  }
};

[[nodiscard]] inline FftSide time_side(const Fft::Spec& spec) noexcept {
  return {spec.time, spec.size, spec.batch, spec.kind == Fft::Kind::real ? 1 : 2};
}

[[nodiscard]] inline FftSide bins_side(const Fft::Spec& spec) noexcept {
  return {spec.bins, bins_of(spec), spec.batch, 2};
}

/// What the sums are multiplied by. [any]
struct FftScale {
  explicit FftScale(const Fft::Spec& spec) noexcept {
    if (spec.scaling == Fft::Scaling::unitary)
      forward = inverse = static_cast<float>(1 / std::sqrt(static_cast<double>(spec.size)));
    if (spec.scaling == Fft::Scaling::inverse) inverse = 1.0F / static_cast<float>(spec.size);
  }
  float forward = 1;
  float inverse = 1;
};

[[nodiscard]] std::unique_ptr<TransformTwin> make_fft_cpu(Device device, const Fft::Request& request);
[[nodiscard]] std::unique_ptr<TransformTwin> make_fft_cuda(Device device, const Fft::Request& request);
[[nodiscard]] bool fft_cuda_supports(Device device, const Fft::Request& request) noexcept;

}  // namespace ringwave::dsp
