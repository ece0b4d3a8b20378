// SPDX-License-Identifier: Apache-2.0
#include "bench/cufft.hpp"

#include <dlfcn.h>

namespace ringwave::bench {

/// The part of the library's C interface that is used here.
struct Cufft::Library {
  static constexpr int kR2C = 0x2a;

  Library() {
    void* library = nullptr;
    for (const char* name : {"libcufft.so.12", "/usr/local/cuda/lib64/libcufft.so.12"})
      if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    ready = load(library, "cufftPlanMany", plan_many) && load(library, "cufftSetStream", set_stream) &&
            load(library, "cufftExecR2C", exec) && load(library, "cufftDestroy", destroy);
  }

  template <class Function>
  static bool load(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
  }

  int (*plan_many)(int* plan, int rank, int* size, int* in_embed, int in_stride, int in_distance,
                   int* out_embed, int out_stride, int out_distance, int type, int batch) = nullptr;
  int (*set_stream)(int plan, NativeQueue stream) = nullptr;
  int (*exec)(int plan, float* in, std::complex<float>* out) = nullptr;
  int (*destroy)(int plan) = nullptr;
  bool ready = false;
};

std::unique_ptr<Cufft> Cufft::try_make(int size, int batch, NativeQueue stream) {
  static const Library library;
  if (!library.ready) return nullptr;
  std::unique_ptr<Cufft> made(new Cufft(library));
  const bool planned = library.plan_many(&made->plan_, 1, &size, nullptr, 1, size, nullptr, 1, size / 2 + 1,
                                         Library::kR2C, batch) == 0 &&
                       library.set_stream(made->plan_, stream) == 0;
  return planned ? std::move(made) : nullptr;
}

Cufft::~Cufft() {
  (void)library_.destroy(plan_);
}

bool Cufft::forward(float* samples, std::complex<float>* bins) {
  return library_.exec(plan_, samples, bins) == 0;
}

}  // namespace ringwave::bench
