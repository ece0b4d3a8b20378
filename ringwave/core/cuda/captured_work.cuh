// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <utility>

#include "ringwave/core/cuda/check.cuh"

namespace ringwave::cuda {

/// Work between fixed arrays, captured once: running it is one call of the driver, and none of a library that
/// locks.
class CapturedWork {
 public:
  /// Captures what `work(stream)` enqueues; it returns a cudaError_t. Throws DeviceLost, Error. [setup]
  template <class Work>
  CapturedWork(cudaStream_t stream, Work&& work) {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "beginning a capture");
    const cudaError_t worked = std::forward<Work>(work)(stream);
    const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
    check(worked != cudaSuccess ? worked : ended, "capturing work");
    const cudaError_t made = cudaGraphInstantiate(&graph_, graph, 0);
    (void)cudaGraphDestroy(graph);
    check(made, "preparing captured work");
  }
  ~CapturedWork() {
    if (graph_ != nullptr) (void)cudaGraphExecDestroy(graph_);
  }
  CapturedWork(const CapturedWork&) = delete;  // it owns a graph
  CapturedWork& operator=(const CapturedWork&) = delete;

  /// Enqueues it. [audio]
  [[nodiscard]] cudaError_t launch(cudaStream_t stream) const noexcept {
    return cudaGraphLaunch(graph_, stream);
  }

 private:
  cudaGraphExec_t graph_ = nullptr;
};

}  // namespace ringwave::cuda
