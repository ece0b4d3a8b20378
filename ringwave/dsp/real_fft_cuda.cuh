// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

namespace ringwave::dsp {

/// Real transforms of a power of two, each by the threads of one block, in one launch and one pass over the
/// memory. The elements of a transform follow each other.
struct RealFftRows {
  int size = 0;  ///< points, 128 to 4096
  int batch = 0;
  std::ptrdiff_t sample_distance = 0;  ///< floats from a transform to the next
  std::ptrdiff_t bin_distance = 0;     ///< bins
};

/// True where the functions below know the size. [any]
[[nodiscard]] bool has_real_fft(int size) noexcept;

/// What they take as `roots`, to be copied to the device. [setup]
[[nodiscard]] std::vector<float2> real_fft_roots(int size);

/// The transforms, or their inverses, times `scale`. Samples and bins may be the same memory; bins begin at a
/// multiple of 8 bytes. [audio]
cudaError_t real_fft(cudaStream_t stream, const RealFftRows& rows, const float2* roots, float scale,
                     const float* samples, float* bins) noexcept;
cudaError_t inverse_real_fft(cudaStream_t stream, const RealFftRows& rows, const float2* roots, float scale,
                             const float* bins, float* samples) noexcept;

}  // namespace ringwave::dsp
