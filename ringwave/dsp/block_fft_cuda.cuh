// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

namespace ringwave::dsp::block_fft {

/// Complex transforms of kSize points, a power of two from 64 to 8192, by kSize / 16 threads each, in
/// registers and shared memory: Stockham's form, radix 16 and at last what is left. Forward, without a
/// factor.
inline constexpr int kPoints = 16;  // a thread

/// Shared memory of one transform, in complex numbers. Every sixteenth is followed by a gap, so that threads
/// that write sixteen apart meet different banks.
template <int kSize>
inline constexpr int kRoom = kSize + kSize / kPoints;

__device__ __forceinline__ int padded(int index) {
  return index + index / kPoints;
}

__device__ __forceinline__ float2 add(float2 a, float2 b) {
  return {a.x + b.x, a.y + b.y};
}
__device__ __forceinline__ float2 subtract(float2 a, float2 b) {
  return {a.x - b.x, a.y - b.y};
}
__device__ __forceinline__ float2 multiply(float2 a, float2 b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
/// times -i
__device__ __forceinline__ float2 turn(float2 a) {
  return {a.y, -a.x};
}

__device__ __forceinline__ void fft2(float2& a, float2& b) {
  const float2 sum = add(a, b);
  b = subtract(a, b);
  a = sum;
}

/// In order.
__device__ __forceinline__ void fft4(float2& a, float2& b, float2& c, float2& d) {
  fft2(a, c);
  fft2(b, d);
  d = turn(d);
  fft2(a, b);
  fft2(c, d);
  const float2 second = c;
  c = b;
  b = second;
}

/// e^(-2 pi i k / 16)
template <int k>
__device__ __forceinline__ float2 times_root16(float2 a) {
  constexpr float kCos1 = 0.92387953251128674F;
  constexpr float kSin1 = 0.38268343236508977F;
  constexpr float kHalf = 0.70710678118654752F;
  if constexpr (k == 0) return a;
  if constexpr (k == 1) return multiply(a, {kCos1, -kSin1});
  if constexpr (k == 2) return {kHalf * (a.x + a.y), kHalf * (a.y - a.x)};
  if constexpr (k == 3) return multiply(a, {kSin1, -kCos1});
  if constexpr (k == 4) return turn(a);
  if constexpr (k == 6) return {kHalf * (a.y - a.x), -kHalf * (a.x + a.y)};
  if constexpr (k == 9) return multiply(a, {-kCos1, kSin1});
}

/// A transform of R values that stand kStep apart, in order.
template <int R, int kStep>
__device__ __forceinline__ void fft_small(float2* v) {
  if constexpr (R == 2) {
    fft2(v[0], v[kStep]);
  } else if constexpr (R == 4) {
    fft4(v[0], v[kStep], v[2 * kStep], v[3 * kStep]);
  } else if constexpr (R == 8) {
    float2 even[4] = {v[0], v[2 * kStep], v[4 * kStep], v[6 * kStep]};
    float2 odd[4] = {v[kStep], v[3 * kStep], v[5 * kStep], v[7 * kStep]};
    fft4(even[0], even[1], even[2], even[3]);
    fft4(odd[0], odd[1], odd[2], odd[3]);
    odd[1] = times_root16<2>(odd[1]);
    odd[2] = times_root16<4>(odd[2]);
    odd[3] = times_root16<6>(odd[3]);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      v[k * kStep] = add(even[k], odd[k]);
      v[(k + 4) * kStep] = subtract(even[k], odd[k]);
    }
  } else {
    static_assert(R == 16 && kStep == 1);
    // Four transforms over 0, 4, 8, 12 + j; then four over the results, which come out transposed.
#pragma unroll
    for (int j = 0; j < 4; ++j) fft4(v[j], v[j + 4], v[j + 8], v[j + 12]);
    v[5] = times_root16<1>(v[5]);
    v[6] = times_root16<2>(v[6]);
    v[7] = times_root16<3>(v[7]);
    v[9] = times_root16<2>(v[9]);
    v[10] = times_root16<4>(v[10]);
    v[11] = times_root16<6>(v[11]);
    v[13] = times_root16<3>(v[13]);
    v[14] = times_root16<6>(v[14]);
    v[15] = times_root16<9>(v[15]);
#pragma unroll
    for (int j = 0; j < 4; ++j) fft4(v[4 * j], v[4 * j + 1], v[4 * j + 2], v[4 * j + 3]);
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int k = j + 1; k < 4; ++k) {
        const float2 other = v[4 * j + k];
        v[4 * j + k] = v[4 * k + j];
        v[4 * k + j] = other;
      }
  }
}

/// Multiplies value r by the root's power r. A power is a product of at most four others, so that its
/// rounding stays below that of the transform; few of them live at a time, so that all stays in registers.
template <int R, int kStep>
__device__ __forceinline__ void twist(float2* v, float2 root) {
  constexpr int kRow = R < 4 ? R : 4;
  float2 power[kRow];
  power[1] = root;
  if constexpr (kRow == 4) {
    power[2] = multiply(root, root);
    power[3] = multiply(power[2], root);
  }
#pragma unroll
  for (int r = 1; r < kRow; ++r) v[r * kStep] = multiply(v[r * kStep], power[r]);
  if constexpr (R > 4) {
    const float2 fourth = multiply(power[2], power[2]);
    float2 first = fourth;
#pragma unroll
    for (int row = kRow; row < R; row += kRow) {
      v[row * kStep] = multiply(v[row * kStep], first);
#pragma unroll
      for (int r = 1; r < kRow; ++r)
        v[(row + r) * kStep] = multiply(v[(row + r) * kStep], multiply(first, power[r]));
      first = multiply(first, fourth);
    }
  }
}

/// The stages from the one whose transforms so far have kDone points. On entry and return thread t of a
/// transform has the points t + e * kSize / 16 in v[e]. `room` has kRoom<kSize> places for each transform;
/// all threads of the block call it.
template <int kSize, int kDone = 1>
__device__ __forceinline__ void run(float2 (&v)[kPoints], int t, float2* room, const float2* roots) {
  constexpr int kThreads = kSize / kPoints;
  constexpr int R = kSize / kDone < kPoints ? kSize / kDone : kPoints;
  constexpr int kMany = kPoints / R;  // transforms of R points in a thread
#pragma unroll
  for (int b = 0; b < kMany; ++b) {
    const int place = (t + b * kThreads) % kDone;
    if constexpr (kDone > 1) twist<R, kMany>(v + b, __ldg(roots + place * (kSize / (kDone * R))));
    fft_small<R, kMany>(v + b);
  }
  if constexpr (kDone * R < kSize) {
    static_assert(kMany == 1);
    const int first = t / kDone * (kDone * R) + t % kDone;
    __syncthreads();  // the last readers of `room` are done
#pragma unroll
    for (int r = 0; r < R; ++r) room[padded(first + r * kDone)] = v[r];
    __syncthreads();
#pragma unroll
    for (int e = 0; e < kPoints; ++e) v[e] = room[padded(t + e * kThreads)];
    run<kSize, kDone * R>(v, t, room, roots);
  }
}

}  // namespace ringwave::dsp::block_fft
