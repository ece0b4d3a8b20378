// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/module.hpp"

#include "ringwave/backend/cuda/handlers.cuh"
#include "ringwave/backend/cuda/ops.cuh"
#include "ringwave/core/cuda/cuda_runtime.cuh"
#include "ringwave/core/version.hpp"
#include "ringwave/ring/cuda/resident_host.cuh"

/// The one symbol that the library looks for.
extern "C" const ringwave::ModuleInterface* ringwave_module() {
  static const ringwave::ModuleInterface interface {
    .version = ringwave::kVersion, .open_devices = ringwave::cuda::open_devices,
    .register_ops = ringwave::backend::cuda::register_ops,
    .register_handlers = ringwave::backend::cuda::register_handlers,
    .make_ring_host = ringwave::ring::cuda::make_resident_host,
  };
  return &interface;
}
