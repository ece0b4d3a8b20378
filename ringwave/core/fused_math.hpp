// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/core/host_device.hpp"

/// Arithmetic of rules whose last bit may differ between the twins, where a GPU has a quicker way. What must
/// be the same on both says * + / instead.
namespace ringwave {

/// a * b + c; rounded once on a GPU.
[[nodiscard]] RW_HOST_DEVICE inline float fused(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return a * b + c;
#endif
}

/// 1 / x for x from 2^-126 to 2^126; on a GPU to one unit in the last place.
[[nodiscard]] RW_HOST_DEVICE inline float reciprocal(float x) {
#if defined(__CUDA_ARCH__)
  float made;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(made) : "f"(x));
  return made;
#else
  return 1 / x;
#endif
}

}  // namespace ringwave
