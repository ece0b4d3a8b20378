// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>
#include <cufft.h>

namespace ringwave::cuda {

/// How a batch of transforms lies in memory, in elements of its type.
struct CufftLayout {
  int stride = 1;
  int distance = 0;
};

/// A plan of cuFFT on the current device. The library is opened at run time: a machine without it has no
/// transforms on its GPU, and everything else.
class CufftPlan {
 public:
  /// True where the library is there. [setup]
  [[nodiscard]] static bool available() noexcept;

  /// Throws DeviceUnavailable where the library is absent, OutOfMemory, Error. [setup]
  CufftPlan(int size, int batch, cufftType type, CufftLayout in, CufftLayout out);
  ~CufftPlan();
  CufftPlan(const CufftPlan&) = delete;  // it owns work memory on a device
  CufftPlan& operator=(const CufftPlan&) = delete;

  /// Enqueues the transform. `forward` matters for complex ones only; in and out may be the same where the
  /// layouts are. [audio]
  cudaError_t execute(cudaStream_t stream, const float* in, float* out, bool forward) noexcept;

 private:
  cufftHandle plan_ = 0;
  cufftType type_;
  cudaStream_t stream_ = nullptr;  // that the plan was last told
  bool has_stream_ = false;
};

}  // namespace ringwave::cuda
