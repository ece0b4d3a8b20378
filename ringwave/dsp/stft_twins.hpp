// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "ringwave/core/device.hpp"
#include "ringwave/dsp/stft.hpp"
#include "ringwave/dsp/stft_math.hpp"
#include "ringwave/dsp/transform_twin.hpp"

namespace ringwave::dsp {

/// What both twins multiply by.
struct StftWeights {
  explicit StftWeights(const Stft::Spec& spec);

  std::vector<float> analysis;   ///< the window with the factor of the transform
  std::vector<float> synthesis;  ///< the window
  float inverse_scale = 1;       ///< that undoes the transform and its factor
};

/// Where the frames of a signal lie. [any]
[[nodiscard]] StftGrid grid_of(const Stft::Spec& spec) noexcept;

[[nodiscard]] std::unique_ptr<TransformTwin> make_stft_cpu(Device device, const Stft::Request& request);
[[nodiscard]] std::unique_ptr<TransformTwin> make_stft_cuda(Device device, const Stft::Request& request);
[[nodiscard]] bool stft_cuda_supports(Device device, const Stft::Request& request) noexcept;

}  // namespace ringwave::dsp
