// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "ringwave/dsp/biquad_math.hpp"

/// The scan behind the CUDA twin of Biquad.
///
/// A cascade of S sections is linear: after L samples its 2S states are  s' = M s + e,  where M depends on
/// the sections and L alone and e is where the L samples lead from rest. So every thread filters L samples
/// from rest, a scan over the threads turns the e of each into the state at its first sample, and a second
/// run of the same L samples from that state gives the output. The powers of M that the scan needs are
/// computed once, on the host.
namespace ringwave::dsp::scan {

inline constexpr int kWarp = 32;

/// Row-major 2S x 2S; a section's states depend on those of earlier sections and its own, never on later
/// ones.
template <int S>
struct Matrix {
  double at[2 * S][2 * S];
};

template <int S>
struct States {
  double at[2 * S] = {};
};

/// v += M u, leaving out what is zero by construction.
template <int S>
__device__ __forceinline__ void multiply_add(const Matrix<S>& m, const States<S>& u, States<S>& v) {
#pragma unroll
  for (int row = 0; row < 2 * S; ++row)
#pragma unroll
    for (int column = 0; column < 2 * (row / 2) + 2; ++column) v.at[row] += m.at[row][column] * u.at[column];
}

/// What a scan in steps of one chunk needs. It travels as a kernel argument, in constant memory, where a
/// multiply-add can read a factor without a load.
template <int S>
struct Powers {
  Matrix<S> doubled[6];  ///< M^1, M^2, M^4 … M^32: the steps of a scan over a warp, and a whole warp
};

/// M^0 … M^31, entry by entry over the lanes, so that a warp reads each entry of its 32 matrices at once.
template <int S>
struct LanePowers {
  double at[2 * S][2 * S][kWarp];
};

/// After it, lane i holds the states after chunks 0 … i from rest.
template <int S>
__device__ __forceinline__ void inclusive_scan(const Powers<S>& powers, int lane, States<S>& v) {
#pragma unroll
  for (int step = 0; step < 5; ++step) {
    const int distance = 1 << step;
    States<S> before;
#pragma unroll
    for (int i = 0; i < 2 * S; ++i) before.at[i] = __shfl_up_sync(~0U, v.at[i], distance);
    if (lane >= distance) multiply_add(powers.doubled[step], before, v);
  }
}

/// The states at the start of each lane's chunk: `carry` at lane 0's, plus what the lanes before add. `v` is
/// the result of inclusive_scan().
template <int S>
__device__ __forceinline__ States<S> states_at_start(const LanePowers<S>* powers, int lane,
                                                     const States<S>& v, const States<S>& carry) {
  States<S> start;
#pragma unroll
  for (int row = 0; row < 2 * S; ++row) {
    const double before = __shfl_up_sync(~0U, v.at[row], 1);
    start.at[row] = lane == 0 ? 0.0 : before;
#pragma unroll
    for (int column = 0; column < 2 * (row / 2) + 2; ++column)
      start.at[row] += powers->at[row][column][lane] * carry.at[column];
  }
  return start;
}

}  // namespace ringwave::dsp::scan
