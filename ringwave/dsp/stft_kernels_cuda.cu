// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/stft_kernels_cuda.cuh"

#include <algorithm>
#include <type_traits>

#include "ringwave/dsp/block_fft_cuda.cuh"

namespace ringwave::dsp {
namespace {

constexpr int kLeastThreads = 256;  // of a block of transform_kernel
constexpr int kThreads = 256;       // of the others

template <int kSize>
struct Shape {
  static constexpr int kThreadsEach = kSize / block_fft::kPoints;  // of a transform, which has two frames
  static constexpr int kMany = std::max(1, kLeastThreads / kThreadsEach);
  static constexpr int kBlock = kMany * kThreadsEach;
  static constexpr int kSharedBytes = kMany * block_fft::kRoom<kSize> * static_cast<int>(sizeof(float2));
};

/// Point n of a windowed frame.
struct Frame {
  const float* samples;  // of its channel; null for a frame that is none
  std::int64_t start;
  bool inside;

  __device__ Frame(const StftGrid& grid, const float* signal, std::int64_t row, std::int64_t rows)
      : samples(row < rows ? signal + row / grid.frames * grid.samples : nullptr),
        start(grid.start_of(static_cast<int>(row % grid.frames))),
        inside(grid.is_inside(start)) {}

  __device__ float at(const StftGrid& grid, int n) const {
    if (samples == nullptr) return 0;
    if (inside) return __ldg(samples + start + n);
    const std::int64_t source = grid.source_of(start + n);
    return source < 0 ? 0 : __ldg(samples + source);
  }
};

/// Two frames a transform: the one as the real part, the other as the imaginary one. What comes out is taken
/// apart by
///
///   A[k] = (Z[k] + conj Z[N - k]) / 2        B[k] = (Z[k] - conj Z[N - k]) / 2i
///
/// whose halves are in the window. The memory that must move is each sample once and each bin once; frames
/// overlap in the cache.
template <int kSize>
__global__ void __launch_bounds__(Shape<kSize>::kBlock, 1024 / Shape<kSize>::kBlock)
    transform_kernel(StftGrid grid, std::int64_t rows, const float* __restrict__ samples,
                     const float* __restrict__ window, const float2* __restrict__ roots,
                     float2* __restrict__ bins) {
  using Of = Shape<kSize>;
  constexpr int kBins = kSize / 2 + 1;
  constexpr int kHalf = block_fft::kPoints / 2;
  extern __shared__ float2 shared[];
  const int t = static_cast<int>(threadIdx.x) % Of::kThreadsEach;
  const int index = static_cast<int>(threadIdx.x) / Of::kThreadsEach;
  float2* const room = shared + index * block_fft::kRoom<kSize>;
  const std::int64_t row = 2 * (static_cast<std::int64_t>(blockIdx.x) * Of::kMany + index);
  const Frame a(grid, samples, row, rows);
  const Frame b(grid, samples, row + 1, rows);
  float2 v[block_fft::kPoints];
#pragma unroll
  for (int e = 0; e < block_fft::kPoints; ++e) {
    const int n = t + e * Of::kThreadsEach;
    const float weight = __ldg(window + n);
    v[e] = {a.at(grid, n) * weight, b.at(grid, n) * weight};
  }
  block_fft::run<kSize>(v, t, room, roots);

  // The bins of the upper half are read by the threads of the lower one.
  __syncthreads();
#pragma unroll
  for (int e = kHalf; e < block_fft::kPoints; ++e) room[block_fft::padded(t + e * Of::kThreadsEach)] = v[e];
  __syncthreads();
  if (row >= rows) return;
  float2* const to_a = bins + row * kBins;
  float2* const to_b = row + 1 < rows ? to_a + kBins : nullptr;
  const auto write = [&](int k, float2 z, float2 mirror) {
    __stcs(to_a + k, make_float2(z.x + mirror.x, z.y - mirror.y));
    if (to_b != nullptr) __stcs(to_b + k, make_float2(z.y + mirror.y, mirror.x - z.x));
  };
#pragma unroll
  for (int e = 0; e < kHalf; ++e) {
    const int k = t + e * Of::kThreadsEach;
    write(k, v[e], k == 0 ? v[0] : room[block_fft::padded(kSize - k)]);
  }
  if (t == 0) write(kSize / 2, v[kHalf], v[kHalf]);
}

/// Calls `use` with the size as a constant.
template <class Use>
cudaError_t with_size(int size, Use use) noexcept {
  switch (size) {
    case 64:
      return use(std::integral_constant<int, 64>{});
    case 128:
      return use(std::integral_constant<int, 128>{});
    case 256:
      return use(std::integral_constant<int, 256>{});
    case 512:
      return use(std::integral_constant<int, 512>{});
    case 1024:
      return use(std::integral_constant<int, 1024>{});
    case 2048:
      return use(std::integral_constant<int, 2048>{});
    case 4096:
      return use(std::integral_constant<int, 4096>{});
    case 8192:
      return use(std::integral_constant<int, 8192>{});
    default:
      return cudaErrorInvalidValue;
  }
}

__global__ void __launch_bounds__(kThreads)
    cut_out_kernel(StftGrid grid, FramePiece piece, const float* __restrict__ samples,
                   const float* __restrict__ window, float* __restrict__ frames) {
  const std::int64_t count = std::int64_t{piece.channels} * piece.frames * grid.size;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * kThreads;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < count;
       i += step) {
    const std::int64_t row = i / grid.size;
    const int n = static_cast<int>(i % grid.size);
    const int channel = piece.first_channel + static_cast<int>(row / piece.frames);
    const int frame = piece.first_frame + static_cast<int>(row % piece.frames);
    const std::int64_t source = grid.source_of(grid.start_of(frame) + n);
    frames[i] =
        source < 0 ? 0 : samples[static_cast<std::int64_t>(channel) * grid.samples + source] * window[n];
  }
}

__global__ void __launch_bounds__(kThreads)
    overlap_kernel(StftGrid grid, FramePiece piece, int first_sample, int end_sample,
                   const float* __restrict__ frames, const float* __restrict__ window, float scale,
                   float* __restrict__ samples) {
  const int span = end_sample - first_sample;
  const std::int64_t count = std::int64_t{piece.channels} * span;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * kThreads;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < count;
       i += step) {
    const std::int64_t channel = i / span;
    const std::int64_t sample = first_sample + i % span;
    const int last = grid.last_frame_at(sample);
    float sum = 0;
    float weights = 0;
    for (int frame = grid.first_frame_at(sample); frame <= last; ++frame) {
      const auto n = static_cast<int>(sample - grid.start_of(frame));
      const float weight = __ldg(window + n);
      const std::int64_t row = channel * piece.frames + frame - piece.first_frame;
      sum = fmaf(frames[row * grid.size + n], weight, sum);
      weights = fmaf(weight, weight, weights);
    }
    samples[(piece.first_channel + channel) * grid.samples + sample] =
        weights > kLeastStftWeight ? sum * scale / weights : 0.0F;
  }
}

unsigned blocks_for(std::int64_t count) noexcept {
  return static_cast<unsigned>(std::clamp<std::int64_t>((count - 1) / kThreads + 1, 1, 1 << 16));
}

}  // namespace

bool prepare_transform_frames(int size) noexcept {
  const cudaError_t error = with_size(size, [](auto of_size) {
    constexpr int kSize = of_size;
    return cudaFuncSetAttribute(transform_kernel<kSize>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                Shape<kSize>::kSharedBytes);
  });
  (void)cudaGetLastError();  // a device with less shared memory has no failure behind it
  return error == cudaSuccess;
}

cudaError_t transform_frames(cudaStream_t stream, const StftGrid& grid, int channels, const float* samples,
                             const float* window, const float2* roots, float2* bins) noexcept {
  return with_size(grid.size, [&](auto of_size) {
    constexpr int kSize = of_size;
    using Of = Shape<kSize>;
    const std::int64_t rows = std::int64_t{channels} * grid.frames;
    const auto blocks = static_cast<unsigned>((rows - 1) / (2 * Of::kMany) + 1);
    transform_kernel<kSize>
        <<<blocks, Of::kBlock, Of::kSharedBytes, stream>>>(grid, rows, samples, window, roots, bins);
    return cudaGetLastError();
  });
}

cudaError_t cut_out_frames(cudaStream_t stream, const StftGrid& grid, const FramePiece& piece,
                           const float* samples, const float* window, float* frames) noexcept {
  const std::int64_t count = std::int64_t{piece.channels} * piece.frames * grid.size;
  cut_out_kernel<<<blocks_for(count), kThreads, 0, stream>>>(grid, piece, samples, window, frames);
  return cudaGetLastError();
}

cudaError_t overlap_frames(cudaStream_t stream, const StftGrid& grid, const FramePiece& piece,
                           int first_sample, int end_sample, const float* frames, const float* window,
                           float scale, float* samples) noexcept {
  const std::int64_t count = std::int64_t{piece.channels} * (end_sample - first_sample);
  overlap_kernel<<<blocks_for(count), kThreads, 0, stream>>>(grid, piece, first_sample, end_sample, frames,
                                                             window, scale, samples);
  return cudaGetLastError();
}

}  // namespace ringwave::dsp
