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

/// a / b for b from 2^-126 to 2^126; on a GPU to two roundings.
[[nodiscard]] RW_HOST_DEVICE inline float quotient(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fdividef(a, b);
#else
  return a / b;
#endif
}

}  // namespace ringwave
