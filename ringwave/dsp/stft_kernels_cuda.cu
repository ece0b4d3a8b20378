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

/// The point of a padded signal at `place`.
__device__ float padded(const StftGrid& grid, const float* samples, int place) {
  const int source = grid.source_of(place);
  return source < 0 ? 0 : __ldg(samples + source);
}

/// Two frames a transform: the one as the real part, the other as the imaginary one. What comes out is taken
/// apart by
///
///   A[k] = (Z[k] + conj Z[N - k]) / 2        B[k] = (Z[k] - conj Z[N - k]) / 2i
///
/// whose halves are in the window. The memory that must move is each sample once and each bin once; frames
/// overlap in the cache. On an H200, 10 minutes of stereo in 4096 points every 1024 are 1.15 GB, 0.27 ms at
/// its bandwidth; seen 0.46 ms.
template <int kSize>
__global__ void __launch_bounds__(Shape<kSize>::kBlock, 1024 / Shape<kSize>::kBlock)
    transform_kernel(StftGrid grid, const float* __restrict__ samples, const float* __restrict__ window,
                     const float2* __restrict__ roots, float2* __restrict__ bins) {
  using Of = Shape<kSize>;
  constexpr int kBins = kSize / 2 + 1;
  constexpr int kHalf = block_fft::kPoints / 2;
  extern __shared__ float2 shared[];
  const int t = static_cast<int>(threadIdx.x) % Of::kThreadsEach;
  const int index = static_cast<int>(threadIdx.x) / Of::kThreadsEach;
  float2* const room = shared + index * block_fft::kRoom<kSize>;
  const int frame = 2 * (static_cast<int>(blockIdx.x) * Of::kMany + index);
  const bool has_a = frame < grid.frames;
  const bool has_b = frame + 1 < grid.frames;
  samples += static_cast<std::ptrdiff_t>(blockIdx.y) * grid.samples;
  const int start = grid.start_of(frame);
  float2 v[block_fft::kPoints];
  if (has_b && grid.is_inside(start) && grid.is_inside(start + grid.hop)) {
    const float* const a = samples + start + t;
    const float* const b = a + grid.hop;
#pragma unroll
    for (int e = 0; e < block_fft::kPoints; ++e) {
      const float weight = __ldg(window + t + e * Of::kThreadsEach);
      v[e] = {__ldg(a + e * Of::kThreadsEach) * weight, __ldg(b + e * Of::kThreadsEach) * weight};
    }
  } else {
#pragma unroll
    for (int e = 0; e < block_fft::kPoints; ++e) {
      const int n = t + e * Of::kThreadsEach;
      const float weight = __ldg(window + n);
      v[e] = {has_a ? padded(grid, samples, start + n) * weight : 0,
              has_b ? padded(grid, samples, start + grid.hop + n) * weight : 0};
    }
  }
  block_fft::run<kSize>(v, t, room, roots);

  // The bins of the upper half are read by the threads of the lower one.
  __syncthreads();
#pragma unroll
  for (int e = kHalf; e < block_fft::kPoints; ++e) room[block_fft::padded(t + e * Of::kThreadsEach)] = v[e];
  __syncthreads();
  if (!has_a) return;
  float2* const to = bins + (static_cast<std::ptrdiff_t>(blockIdx.y) * grid.frames + frame) * kBins;
  const auto write = [to, has_b](int k, float2 z, float2 mirror) {
    __stcs(to + k, make_float2(z.x + mirror.x, z.y - mirror.y));
    if (has_b) __stcs(to + kBins + k, make_float2(z.y + mirror.y, mirror.x - z.x));
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

/// One block a frame.
__global__ void __launch_bounds__(kThreads)
    cut_out_kernel(StftGrid grid, FramePiece piece, const float* __restrict__ samples,
                   const float* __restrict__ window, float* __restrict__ frames) {
  const int row = static_cast<int>(blockIdx.x);
  samples += static_cast<std::ptrdiff_t>(piece.first_channel + row / piece.frames) * grid.samples;
  frames += static_cast<std::ptrdiff_t>(row) * grid.size;
  const int start = grid.start_of(piece.first_frame + row % piece.frames);
  for (int n = static_cast<int>(threadIdx.x); n < grid.size; n += kThreads)
    frames[n] = padded(grid, samples, start + n) * __ldg(window + n);
}

/// One thread a sample, one row of blocks a channel.
__global__ void __launch_bounds__(kThreads)
    overlap_kernel(StftGrid grid, FramePiece piece, int first_sample, int end_sample,
                   const float* __restrict__ frames, const float* __restrict__ window, float scale,
                   float* __restrict__ samples) {
  const int sample = first_sample + static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  if (sample >= end_sample) return;
  frames += static_cast<std::ptrdiff_t>(blockIdx.y) * piece.frames * grid.size;
  const int last = grid.last_frame_at(sample);
  float sum = 0;
  float weights = 0;
  for (int frame = grid.first_frame_at(sample); frame <= last; ++frame) {
    const int n = sample - grid.start_of(frame);
    const float weight = __ldg(window + n);
    const std::ptrdiff_t row = frame - piece.first_frame;
    sum = fmaf(__ldg(frames + row * grid.size + n), weight, sum);
    weights = fmaf(weight, weight, weights);
  }
  samples[static_cast<std::ptrdiff_t>(piece.first_channel + blockIdx.y) * grid.samples + sample] =
      weights > kLeastStftWeight ? sum * scale / weights : 0.0F;
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
    const auto pairs = static_cast<unsigned>((grid.frames - 1) / (2 * Of::kMany) + 1);
    transform_kernel<kSize>
        <<<dim3(pairs, static_cast<unsigned>(channels)), Of::kBlock, Of::kSharedBytes, stream>>>(
            grid, samples, window, roots, bins);
    return cudaGetLastError();
  });
}

cudaError_t cut_out_frames(cudaStream_t stream, const StftGrid& grid, const FramePiece& piece,
                           const float* samples, const float* window, float* frames) noexcept {
  cut_out_kernel<<<static_cast<unsigned>(piece.channels * piece.frames), kThreads, 0, stream>>>(
      grid, piece, samples, window, frames);
  return cudaGetLastError();
}

cudaError_t overlap_frames(cudaStream_t stream, const StftGrid& grid, const FramePiece& piece,
                           int first_sample, int end_sample, const float* frames, const float* window,
                           float scale, float* samples) noexcept {
  const dim3 blocks(static_cast<unsigned>((end_sample - first_sample - 1) / kThreads + 1),
                    static_cast<unsigned>(piece.channels));
  overlap_kernel<<<blocks, kThreads, 0, stream>>>(grid, piece, first_sample, end_sample, frames, window,
                                                  scale, samples);
  return cudaGetLastError();
}

}  // namespace ringwave::dsp
