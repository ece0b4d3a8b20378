// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/core/host_device.hpp"

namespace ringwave::synth {

/// Lanes that do the frames of a chunk side by side: a warp on a GPU, one alone on the CPU.
struct LaneGroup {
  int lane = 0;  ///< of width()

  [[nodiscard]] RW_HOST_DEVICE static constexpr int width() {
#if defined(__CUDA_ARCH__)
    return 32;
#else
    return 1;
#endif
  }

  /// Waits for the others; then each sees what they wrote.
  RW_HOST_DEVICE void sync() const {
#if defined(__CUDA_ARCH__)
    __syncwarp();
#endif
  }

  /// What another of them has.
  [[nodiscard]] RW_HOST_DEVICE float from(float value, [[maybe_unused]] int other) const {
#if defined(__CUDA_ARCH__)
    return __shfl_sync(0xffffffffU, value, other);
#else
    return value;
#endif
  }

  /// The largest that any of them has.
  [[nodiscard]] RW_HOST_DEVICE float largest(float value) const {
#if defined(__CUDA_ARCH__)
    for (int step = width() / 2; step > 0; step /= 2) {
      const float other = __shfl_xor_sync(0xffffffffU, value, step);
      value = other > value ? other : value;
    }
#endif
    return value;
  }
};

}  // namespace ringwave::synth
