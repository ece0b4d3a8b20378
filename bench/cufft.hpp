// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <memory>

#include "ringwave/core/device_runtime.hpp"

namespace ringwave::bench {

/// cuFFT called as its manual says: the peer of our transforms on a GPU. The library is opened at run time,
/// so that the benches need no CUDA to be built.
class Cufft {
 public:
  /// Real transforms, forward, one after the other. Null where the library is absent. [setup]
  [[nodiscard]] static std::unique_ptr<Cufft> try_make(int size, int batch, NativeQueue stream);
  ~Cufft();
  Cufft(const Cufft&) = delete;  // it owns a plan
  Cufft& operator=(const Cufft&) = delete;

  /// Enqueues them; false where cuFFT refuses. [any]
  [[nodiscard]] bool forward(float* samples, std::complex<float>* bins);

 private:
  struct Library;
  explicit Cufft(const Library& library) : library_(library) {}

  const Library& library_;
  int plan_ = 0;
};

}  // namespace ringwave::bench
