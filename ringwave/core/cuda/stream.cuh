// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include "ringwave/core/cuda/check.cuh"

namespace ringwave::cuda {

/// A stream of the current device that does not wait for the default one.
class Stream {
 public:
  Stream() : Stream(0) {}
  /// One that goes before others where SMs are scarce. [setup]
  [[nodiscard]] static Stream first() {
    int least = 0;
    int greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for stream priorities");
    return Stream(greatest);
  }
  ~Stream() { (void)cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;  // work in flight names it
  Stream& operator=(const Stream&) = delete;

  [[nodiscard]] cudaStream_t get() const noexcept { return stream_; }

 private:
  explicit Stream(int priority) {
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority), "making a stream");
  }

  cudaStream_t stream_ = nullptr;
};

}  // namespace ringwave::cuda
