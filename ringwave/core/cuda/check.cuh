// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::cuda {

/// True for an error after which the device is of no more use to this process.
[[nodiscard]] inline bool is_fatal(cudaError_t error) noexcept {
  switch (error) {
    case cudaSuccess:
    case cudaErrorNotReady:
    case cudaErrorMemoryAllocation:
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorStreamCaptureUnsupported:
    case cudaErrorStreamCaptureInvalidated:
      return false;
    default:
      return true;
  }
}

/// Throws the exception that fits where `error` is one: OutOfMemory, DeviceLost or Error. `asked` says what
/// was tried: "allocating 4096 bytes on cuda:0". [setup]
inline void check(cudaError_t error, const std::string& asked) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();  // so that the next call does not find it again
  const std::string found = asked + " failed: " + cudaGetErrorString(error);
  if (error == cudaErrorMemoryAllocation)
    throw OutOfMemory(found + "; free device memory, or ask for less at a time");
  if (is_fatal(error)) throw DeviceLost(found + "; prepare again on another device ('cpu' always works)");
  throw Error(found);
}

}  // namespace ringwave::cuda
