// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include "ringwave/core/cuda/check.cuh"

namespace ringwave::cuda {

/// A point in the work of a stream of the current device.
class StreamEvent {
 public:
  /// One that only orders. Throws Error. [setup]
  StreamEvent() : StreamEvent(cudaEventDisableTiming) {}
  /// One that knows when it was passed. Throws Error. [setup]
  [[nodiscard]] static StreamEvent with_time() { return StreamEvent(cudaEventDefault); }
  ~StreamEvent() { (void)cudaEventDestroy(event_); }
  StreamEvent(const StreamEvent&) = delete;  // streams name it
  StreamEvent& operator=(const StreamEvent&) = delete;

  [[nodiscard]] cudaEvent_t get() const noexcept { return event_; }

 private:
  explicit StreamEvent(unsigned flags) { check(cudaEventCreateWithFlags(&event_, flags), "making an event"); }

  cudaEvent_t event_ = nullptr;
};

}  // namespace ringwave::cuda
