// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "ringwave/core/cuda/cuda_runtime.cuh"
#include "ringwave/core/cuda/memory.cuh"
#include "ringwave/dsp/convolver.hpp"
#include "ringwave/dsp/convolver_kernels_cuda.cuh"

namespace ringwave::dsp::convolver_cuda {

/// The spectra of a response: [path][part][lane].
using Response = ringwave::cuda::DeviceArray<float4>;

/// The spectra of every part of every path, on the current device, which is `device`; some parts at a time,
/// so that a long response needs little room. Throws OutOfMemory, DeviceLost. [setup]
[[nodiscard]] std::unique_ptr<Response> make_response(ringwave::cuda::CudaRuntime& device, const Shape& shape,
                                                      std::span<const Convolver::Path> paths);

}  // namespace ringwave::dsp::convolver_cuda
