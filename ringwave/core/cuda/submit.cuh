// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include "ringwave/core/cuda/cuda_runtime.cuh"
#include "ringwave/core/queue.hpp"
#include "ringwave/core/status.hpp"

namespace ringwave::cuda {

/// Enqueues on `queue`, which is of `device`, what `launch` launches: a noexcept function of a cudaStream_t
/// that returns a cudaError_t, and runs before this returns or not at all. `ok`, `busy` or `device_lost`.
/// [audio]
template <class Launch>
[[nodiscard]] Status submit(CudaRuntime& device, Queue& queue, const Launch& launch) noexcept {
  cudaError_t error = cudaSuccess;
  const Status taken = queue.try_submit([launch = &launch, error = &error](NativeQueue stream) noexcept {
    *error = (*launch)(static_cast<cudaStream_t>(stream));
  });
  return error == cudaSuccess ? taken : device.note(error);
}

}  // namespace ringwave::cuda
