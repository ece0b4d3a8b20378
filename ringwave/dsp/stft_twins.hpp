// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "ringwave/core/queue.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"
#include "ringwave/dsp/stft.hpp"
#include "ringwave/dsp/stft_math.hpp"

namespace ringwave::dsp {

/// What both twins implement. The public op has checked the shapes. Complex numbers are pairs of floats.
class StftTwin {
 public:
  virtual ~StftTwin() = default;

  /// Host memory to host memory, done on return. [audio]
  RW_REALTIME virtual Status forward(const float* samples, float* bins) noexcept = 0;
  RW_REALTIME virtual Status inverse(float* bins, float* samples) noexcept = 0;

  /// The same in `queue`'s order. [audio]
  RW_REALTIME virtual Status enqueue_forward(Queue& queue, const float* samples, float* bins) noexcept = 0;
  RW_REALTIME virtual Status enqueue_inverse(Queue& queue, float* bins, float* samples) noexcept = 0;
};

/// What both twins multiply by.
struct StftWeights {
  explicit StftWeights(const Stft::Spec& spec);

  std::vector<float> analysis;   ///< the window with the factor of the transform
  std::vector<float> synthesis;  ///< the window
  float inverse_scale = 1;       ///< that undoes the transform and its factor
};

/// Where the frames of a signal lie. [any]
[[nodiscard]] StftGrid grid_of(const Stft::Spec& spec) noexcept;

[[nodiscard]] std::unique_ptr<StftTwin> make_stft_cpu(Device device, const Stft::Request& request);
[[nodiscard]] std::unique_ptr<StftTwin> make_stft_cuda(Device device, const Stft::Request& request);
[[nodiscard]] bool stft_cuda_supports(Device device, const Stft::Request& request) noexcept;

}  // namespace ringwave::dsp
