// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

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
  template <class T>
  [[nodiscard]] RW_HOST_DEVICE T from(T value, [[maybe_unused]] int other) const {
#if defined(__CUDA_ARCH__)
    return __shfl_sync(0xffffffffU, value, other);
#else
    return value;
#endif
  }

  /// Of which of them it is so, a bit for each.
  [[nodiscard]] RW_HOST_DEVICE std::uint32_t who(bool mine) const {
#if defined(__CUDA_ARCH__)
    return __ballot_sync(0xffffffffU, mine);
#else
    return mine ? 1U : 0U;
#endif
  }
  /// How many they are.
  [[nodiscard]] RW_HOST_DEVICE static int count(std::uint32_t them) {
#if defined(__CUDA_ARCH__)
    return __popc(them);
#else
    return std::popcount(them);
#endif
  }
  /// How many of them come before this one.
  [[nodiscard]] RW_HOST_DEVICE int before(std::uint32_t them) const {
    return count(them & ((1U << static_cast<unsigned>(lane)) - 1));
  }
  /// The n-th of them, from 0 on.
  [[nodiscard]] RW_HOST_DEVICE static int nth(std::uint32_t them, int n) {
    for (int i = 0; i < n; ++i) them &= them - 1;
    return count((them & (~them + 1)) - 1);
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
