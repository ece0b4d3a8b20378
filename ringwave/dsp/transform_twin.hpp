// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/core/queue.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"

namespace ringwave::dsp {

/// What the twins of a transform between samples and bins implement. The public op has checked the shapes.
/// Complex numbers are pairs of floats.
class TransformTwin {
 public:
  virtual ~TransformTwin() = default;

  /// Host memory to host memory, done on return. [audio]
  RW_REALTIME virtual Status forward(const float* samples, float* bins) noexcept = 0;
  RW_REALTIME virtual Status inverse(float* bins, float* samples) noexcept = 0;

  /// The same in `queue`'s order. [audio]
  RW_REALTIME virtual Status enqueue_forward(Queue& queue, const float* samples, float* bins) noexcept = 0;
  RW_REALTIME virtual Status enqueue_inverse(Queue& queue, float* bins, float* samples) noexcept = 0;
};

/// The part that all CPU twins share: both directions as tasks of a queue.
class CpuTransformTwin : public TransformTwin {
 public:
  Status enqueue_forward(Queue& queue, const float* samples, float* bins) noexcept override {
    return queue.try_submit([this, samples, bins](NativeQueue) noexcept { (void)forward(samples, bins); });
  }

  Status enqueue_inverse(Queue& queue, float* bins, float* samples) noexcept override {
    return queue.try_submit([this, samples, bins](NativeQueue) noexcept { (void)inverse(bins, samples); });
  }
};

}  // namespace ringwave::dsp
