// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include "ringwave/core/cuda/check.cuh"

namespace ringwave::ring::cuda {

/// A stream that goes before others where SMs are scarce.
class ResidentStream {
 public:
  ResidentStream() {
    int least = 0;
    int greatest = 0;
    ringwave::cuda::check(cudaDeviceGetStreamPriorityRange(&least, &greatest),
                          "asking for stream priorities");
    ringwave::cuda::check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest),
                          "making a stream");
  }
  ~ResidentStream() { (void)cudaStreamDestroy(stream_); }
  ResidentStream(const ResidentStream&) = delete;  // work in flight names it
  ResidentStream& operator=(const ResidentStream&) = delete;
  [[nodiscard]] cudaStream_t get() const noexcept { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace ringwave::ring::cuda
