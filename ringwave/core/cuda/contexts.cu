// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/cuda/contexts.cuh"

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "ringwave/core/cuda/check.cuh"
#include "ringwave/core/cuda/driver_function.cuh"
#include "ringwave/core/error.hpp"

namespace ringwave::cuda {
namespace {

constexpr int kMostContexts = 8;

/// 0: none of their own.
int contexts_of_each() {
  const char* const asked = std::getenv("RINGWAVE_CUDA_CONTEXTS");  // NOLINT(concurrency-mt-unsafe)
  if (asked == nullptr || *asked == '\0') return 0;
  char* end = nullptr;
  const long number = std::strtol(asked, &end, 10);
  if (*end != '\0' || number < 1 || number > kMostContexts)
    throw InvalidArgument(std::string("RINGWAVE_CUDA_CONTEXTS is '") + asked + "'; use 1 to " +
                          std::to_string(kMostContexts) + " contexts for each GPU, or none");
  return static_cast<int>(number);
}

struct ContextFunctions {
  // Those of CUDA 3.2, which take no more than what is needed here.
  CUresult (*create)(CUcontext*, unsigned,
                     CUdevice) = driver_function<CUresult(CUcontext*, unsigned, CUdevice)>("cuCtxCreate",
                                                                                           3020);
  decltype(cuCtxSetCurrent)* set = driver_function<decltype(cuCtxSetCurrent)>("cuCtxSetCurrent");
  decltype(cuCtxGetCurrent)* get = driver_function<decltype(cuCtxGetCurrent)>("cuCtxGetCurrent");

  static const ContextFunctions& instance() {
    static const ContextFunctions functions;
    return functions;
  }
};

}  // namespace

const Contexts& Contexts::instance() {
  static const Contexts contexts;
  return contexts;
}

Contexts::Contexts() {
  int gpus = 0;
  check(cudaGetDeviceCount(&gpus), "counting GPUs");
  const int own = contexts_of_each();
  for (int gpu = 0; gpu < gpus; ++gpu) gpus_.insert(gpus_.end(), own == 0 ? 1 : own, gpu);
  if (own == 0) return;
  for (const int gpu : gpus_) {
    CUcontext made = nullptr;
    if (const CUresult result = ContextFunctions::instance().create(&made, 0, gpu); result != CUDA_SUCCESS)
      throw Error("CUDA made no context on GPU " + std::to_string(gpu) + ": error " +
                  std::to_string(static_cast<int>(result)));
    own_.push_back(made);
  }
  (void)ContextFunctions::instance().set(nullptr);  // the last one that was made is current
}

void* Contexts::enter(int device) const noexcept {
  if (own_.empty()) {
    int before = 0;
    (void)cudaGetDevice(&before);
    if (before != gpu(device)) (void)cudaSetDevice(gpu(device));
    return reinterpret_cast<void*>(static_cast<std::intptr_t>(before));
  }
  CUcontext before = nullptr;
  (void)ContextFunctions::instance().get(&before);
  void* const wanted = own_[static_cast<std::size_t>(device)];
  if (before != wanted) (void)ContextFunctions::instance().set(static_cast<CUcontext>(wanted));
  return before;
}

void Contexts::leave(int device, void* before) const noexcept {
  if (!own_.empty()) {
    if (before != own_[static_cast<std::size_t>(device)])
      (void)ContextFunctions::instance().set(static_cast<CUcontext>(before));
    return;
  }
  const auto gpu_before = static_cast<int>(reinterpret_cast<std::intptr_t>(before));
  if (gpu_before != gpu(device)) (void)cudaSetDevice(gpu_before);
}

}  // namespace ringwave::cuda
