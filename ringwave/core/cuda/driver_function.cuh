// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::cuda {

/// A function of CUDA's driver API, which the module does not link: it comes with the machine's driver. As
/// that version of CUDA has it. Throws Error. [setup]
template <class Function>
[[nodiscard]] Function* driver_function(const char* name, unsigned version = 12000) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  const cudaError_t error =
      cudaGetDriverEntryPointByVersion(name, &function, version, cudaEnableDefault, &found);
  (void)cudaGetLastError();  // so that the next call does not find it again
  if (error != cudaSuccess || found != cudaDriverEntryPointSuccess || function == nullptr)
    throw Error(std::string("the NVIDIA driver has no ") + name);
  return reinterpret_cast<Function*>(function);
}

}  // namespace ringwave::cuda
