// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "ringwave/core/cuda/memory.cuh"
#include "ringwave/core/relax.hpp"

namespace ringwave::cuda {

/// Tells the host that a stream has come to a point, through a word of pinned memory that the host watches:
/// no system call and no driver lock, which cudaStreamSynchronize may take.
class CompletionFlag {
 public:
  /// Finds the driver's stream-write function. Throws Error where it has none. [setup]
  CompletionFlag() : word_(1) {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    check(
        cudaGetDriverEntryPointByVersion("cuStreamWriteValue32", &function, 12000, cudaEnableDefault, &found),
        "looking for cuStreamWriteValue32 in the driver");
    if (found != cudaDriverEntryPointSuccess || function == nullptr)
      throw Error("the NVIDIA driver has no cuStreamWriteValue32; install driver 525 or newer");
    write_ = reinterpret_cast<Write>(function);
  }

  /// Asks `stream` to raise the flag when it gets here. [audio]
  [[nodiscard]] cudaError_t raise_in(cudaStream_t stream) noexcept {
    const CUresult result = write_(stream, reinterpret_cast<CUdeviceptr>(word_.data()), ++expected_, 0);
    return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorUnknown;
  }

  /// Watches until the flag is up; an error where the stream's device fails instead. [audio]
  [[nodiscard]] cudaError_t wait(cudaStream_t stream) const noexcept {
    constexpr int kLooks = 1 << 16;  // some hundred microseconds; then ask whether the device is still there
    for (;;) {
      for (int look = 0; look < kLooks; ++look) {
        if (__atomic_load_n(word_.data(), __ATOMIC_ACQUIRE) == expected_) return cudaSuccess;
        relax();
      }
      if (const cudaError_t error = cudaStreamQuery(stream); error != cudaErrorNotReady) return error;
    }
  }

 private:
  using Write = CUresult(CUDAAPI*)(CUstream, CUdeviceptr, cuuint32_t, unsigned);
  Write write_ = nullptr;
  PinnedArray<std::uint32_t> word_;
  std::uint32_t expected_ = 0;
};

}  // namespace ringwave::cuda
