// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/cuda/cufft.cuh"

#include <dlfcn.h>

#include <cstdint>
#include <string>

#include "ringwave/core/cuda/check.cuh"
#include "ringwave/core/error.hpp"
#include "ringwave/core/residents.hpp"

namespace ringwave::cuda {
namespace {

/// The functions of the library that are used here.
class Cufft {
 public:
  static const Cufft& instance() {
    static const Cufft cufft;
    return cufft;
  }

  [[nodiscard]] bool ready() const noexcept { return ready_; }

  decltype(&cufftPlanMany) plan_many = nullptr;
  decltype(&cufftDestroy) destroy = nullptr;
  decltype(&cufftSetStream) set_stream = nullptr;
  decltype(&cufftExecR2C) exec_r2c = nullptr;
  decltype(&cufftExecC2R) exec_c2r = nullptr;
  decltype(&cufftExecC2C) exec_c2c = nullptr;

 private:
  Cufft() {
    void* library = nullptr;
    for (const char* name : {"libcufft.so.12", "/usr/local/cuda/lib64/libcufft.so.12"})
      if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    ready_ = load(library, "cufftPlanMany", plan_many) && load(library, "cufftDestroy", destroy) &&
             load(library, "cufftSetStream", set_stream) && load(library, "cufftExecR2C", exec_r2c) &&
             load(library, "cufftExecC2R", exec_c2r) && load(library, "cufftExecC2C", exec_c2c);
  }

  template <class Function>
  static bool load(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
  }

  bool ready_ = false;
};

cudaError_t as_cuda(cufftResult result) noexcept {
  if (result == CUFFT_SUCCESS) return cudaSuccess;
  const cudaError_t error = cudaPeekAtLastError();
  return error == cudaSuccess ? cudaErrorUnknown : error;
}

}  // namespace

bool CufftPlan::available() noexcept {
  return Cufft::instance().ready();
}

CufftPlan::CufftPlan(int size, int batch, cufftType type, CufftLayout in, CufftLayout out) : type_(type) {
  if (!available())
    throw DeviceUnavailable(
        "transforms on the GPU need libcufft.so.12, which was not found; install the CUDA 13 "
        "libraries or use cpu");
  int embed = size;  // read by cuFFT only to know that the strides count
  const cufftResult result = Cufft::instance().plan_many(&plan_, 1, &size, &embed, in.stride, in.distance,
                                                         &embed, out.stride, out.distance, type, batch);
  const std::string asked =
      "planning " + std::to_string(batch) + " transforms of " + std::to_string(size) + " points on the GPU";
  if (result == CUFFT_ALLOC_FAILED)
    throw OutOfMemory(asked + " failed for lack of memory; use a smaller batch, or cpu");
  if (result != CUFFT_SUCCESS) throw Error(asked + " failed: cuFFT's error " + std::to_string(result));
}

CufftPlan::~CufftPlan() {
  // It frees memory, and so waits for the device.
  Residents::instance().release(static_cast<std::uintptr_t>(plan_), [](std::uintptr_t plan) {
    (void)Cufft::instance().destroy(static_cast<cufftHandle>(plan));
  });
}

cudaError_t CufftPlan::execute(cudaStream_t stream, const float* in, float* out, bool forward) noexcept {
  const Cufft& cufft = Cufft::instance();
  if (!has_stream_ || stream != stream_) {
    if (const cufftResult result = cufft.set_stream(plan_, stream); result != CUFFT_SUCCESS)
      return as_cuda(result);
    stream_ = stream;
    has_stream_ = true;
  }
  auto* const from = const_cast<float*>(in);
  if (type_ == CUFFT_R2C) return as_cuda(cufft.exec_r2c(plan_, from, reinterpret_cast<cufftComplex*>(out)));
  if (type_ == CUFFT_C2R) return as_cuda(cufft.exec_c2r(plan_, reinterpret_cast<cufftComplex*>(from), out));
  return as_cuda(cufft.exec_c2c(plan_, reinterpret_cast<cufftComplex*>(from),
                                reinterpret_cast<cufftComplex*>(out),
                                forward ? CUFFT_FORWARD : CUFFT_INVERSE));
}

}  // namespace ringwave::cuda
