// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/real_fft_cuda.cuh"

#include <algorithm>
#include <cstdint>

#include "ringwave/dsp/block_fft_cuda.cuh"

namespace ringwave::dsp {
namespace {

using block_fft::kPoints;

constexpr int kLeastSize = 128;
constexpr int kMostSize = 4096;     // a longer one needs more shared memory than a block has unasked
constexpr int kLeastThreads = 128;  // of a block

/// Of real transforms of 2 * kSize points: even samples are the real parts, odd ones the imaginary parts of
/// complex transforms of half the length, Z. With w = e^(-2 pi i / 2 kSize),
///
///   E[k] = (Z[k] + conj Z[kSize - k]) / 2        O[k] = (Z[k] - conj Z[kSize - k]) / 2i
///   X[k] = E[k] + w^k O[k]                       X[kSize - k] = conj(E[k] - w^k O[k])
///
/// The memory that must move is each sample once and each bin once: 64 transforms of 4096 points are 2.1 MB,
/// 0.5 us at an H200's bandwidth, so that a call costs what a launch costs.
template <int kSize>
struct Shape {
  static constexpr int kThreadsEach = kSize / kPoints;
  static constexpr int kMany = std::max(1, kLeastThreads / kThreadsEach);
  static constexpr int kBlock = kMany * kThreadsEach;
  static constexpr int kRoom = block_fft::kRoom<kSize>;
  static_assert(kMany * kRoom * sizeof(float2) <= 48 * 1024);
};

__device__ __forceinline__ float2 conjugate(float2 a) {
  return {a.x, -a.y};
}
__device__ __forceinline__ float2 times(float2 a, float factor) {
  return {a.x * factor, a.y * factor};
}

/// Samples two by two, in one access where they lie so.
template <class Sample>
class SamplePairs {
 public:
  __device__ explicit SamplePairs(Sample* first)
      : first_(first), aligned_(reinterpret_cast<std::uintptr_t>(first) % alignof(float2) == 0) {}

  __device__ float2 get(int n) const {
    if (aligned_) return reinterpret_cast<const float2*>(first_)[n];
    return {first_[2 * n], first_[2 * n + 1]};
  }
  __device__ void set(int n, float2 pair) const {
    if (aligned_) {
      reinterpret_cast<float2*>(first_)[n] = pair;
    } else {
      first_[2 * n] = pair.x;
      first_[2 * n + 1] = pair.y;
    }
  }

 private:
  Sample* first_;
  bool aligned_;
};

template <int kSize>
__global__ void __launch_bounds__(Shape<kSize>::kBlock)
    forward_kernel(RealFftRows rows, const float2* __restrict__ roots, float scale, const float* samples,
                   float2* bins) {
  using Of = Shape<kSize>;
  constexpr int kHalf = kPoints / 2;
  __shared__ float2 shared[Of::kMany * Of::kRoom];
  const int t = static_cast<int>(threadIdx.x) % Of::kThreadsEach;
  const int index = static_cast<int>(threadIdx.x) / Of::kThreadsEach;
  float2* const room = shared + index * Of::kRoom;
  const int row = static_cast<int>(blockIdx.x) * Of::kMany + index;
  const bool is_there = row < rows.batch;
  const SamplePairs<const float> from(samples + row * rows.sample_distance);
  float2 v[kPoints];
#pragma unroll
  for (int e = 0; e < kPoints; ++e) v[e] = is_there ? from.get(t + e * Of::kThreadsEach) : make_float2(0, 0);
  block_fft::run<kSize>(v, t, room, roots);

  // The upper half is read by the threads of the lower one.
  __syncthreads();
#pragma unroll
  for (int e = kHalf; e < kPoints; ++e) room[block_fft::padded(t + e * Of::kThreadsEach)] = v[e];
  __syncthreads();
  if (!is_there) return;
  float2* const to = bins + row * rows.bin_distance;
  const float half = scale / 2;
#pragma unroll
  for (int e = 0; e < kHalf; ++e) {
    const int k = t + e * Of::kThreadsEach;
    const float2 z = v[e];
    const float2 mirror = conjugate(k == 0 ? z : room[block_fft::padded(kSize - k)]);
    const float2 even = times(block_fft::add(z, mirror), half);
    const float2 odd = times(block_fft::turn(block_fft::subtract(z, mirror)), half);
    const float2 turned = block_fft::multiply(__ldg(roots + kSize + k), odd);
    to[k] = block_fft::add(even, turned);
    to[kSize - k] = conjugate(block_fft::subtract(even, turned));
  }
  if (t == 0) to[kSize / 2] = times(conjugate(v[kHalf]), scale);
}

/// By conj F(conj Z), where Z = (E + i O) 2: what an inverse sums has no halves.
template <int kSize>
__global__ void __launch_bounds__(Shape<kSize>::kBlock)
    inverse_kernel(RealFftRows rows, const float2* __restrict__ roots, float scale, const float2* bins,
                   float* samples) {
  using Of = Shape<kSize>;
  __shared__ float2 shared[Of::kMany * Of::kRoom];
  const int t = static_cast<int>(threadIdx.x) % Of::kThreadsEach;
  const int index = static_cast<int>(threadIdx.x) / Of::kThreadsEach;
  const int row = static_cast<int>(blockIdx.x) * Of::kMany + index;
  const bool is_there = row < rows.batch;
  const float2* const from = bins + row * rows.bin_distance;
  float2 v[kPoints];
#pragma unroll
  for (int e = 0; e < kPoints; ++e) {
    const int k = t + e * Of::kThreadsEach;
    float2 x = is_there ? from[k] : make_float2(0, 0);
    float2 mirror = is_there ? conjugate(from[kSize - k]) : make_float2(0, 0);
    if (k == 0) x.y = mirror.y = 0;  // the first and last bin of a real signal are real
    const float2 even = block_fft::add(x, mirror);
    const float2 odd =
        block_fft::multiply(conjugate(__ldg(roots + kSize + k)), block_fft::subtract(x, mirror));
    v[e] = times({even.x - odd.y, -even.y - odd.x}, scale);
  }
  block_fft::run<kSize>(v, t, shared + index * Of::kRoom, roots);
  if (!is_there) return;
  const SamplePairs<float> to(samples + row * rows.sample_distance);
#pragma unroll
  for (int e = 0; e < kPoints; ++e) to.set(t + e * Of::kThreadsEach, conjugate(v[e]));
}

template <int kSize>
unsigned blocks_of(const RealFftRows& rows) noexcept {
  return static_cast<unsigned>((rows.batch - 1) / Shape<kSize>::kMany + 1);
}

/// with_size() for complex transforms of the sizes that are compiled here.
template <class Use>
cudaError_t with_half(int size, Use use) noexcept {
  return block_fft::with_size(size / 2, [&](auto half) {
    if constexpr (2 * half <= kMostSize)
      return use(half);
    else
      return cudaErrorInvalidValue;
  });
}

}  // namespace

bool has_real_fft(int size) noexcept {
  return size >= kLeastSize && size <= kMostSize && (size & (size - 1)) == 0;
}

std::vector<float2> real_fft_roots(int size) {
  std::vector<float2> roots = block_fft::roots_of(size / 2, size / 2);
  const std::vector<float2> of_bins = block_fft::roots_of(size, size / 2);
  roots.insert(roots.end(), of_bins.begin(), of_bins.end());
  return roots;
}

cudaError_t real_fft(cudaStream_t stream, const RealFftRows& rows, const float2* roots, float scale,
                     const float* samples, float* bins) noexcept {
  return with_half(rows.size, [&](auto half) {
    constexpr int kSize = half;
    forward_kernel<kSize><<<blocks_of<kSize>(rows), Shape<kSize>::kBlock, 0, stream>>>(
        rows, roots, scale, samples, reinterpret_cast<float2*>(bins));
    return cudaGetLastError();
  });
}

cudaError_t inverse_real_fft(cudaStream_t stream, const RealFftRows& rows, const float2* roots, float scale,
                             const float* bins, float* samples) noexcept {
  return with_half(rows.size, [&](auto half) {
    constexpr int kSize = half;
    inverse_kernel<kSize><<<blocks_of<kSize>(rows), Shape<kSize>::kBlock, 0, stream>>>(
        rows, roots, scale, reinterpret_cast<const float2*>(bins), samples);
    return cudaGetLastError();
  });
}

}  // namespace ringwave::dsp
