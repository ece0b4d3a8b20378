// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <mutex>
#include <new>
#include <vector>

namespace ringwave::cuda {

/// Kernels that stay on a device, and what is to be released while there are any: CUDA frees nothing before
/// all work of the device has ended, which would be never. It is released when the last one has left.
class Residents {
 public:
  /// Releases one thing. It must not throw.
  using Release = void (*)(std::uintptr_t thing);

  /// Of this process. [setup]
  [[nodiscard]] static Residents& instance() {
    static Residents& residents = *new Residents;  // whatever is freed last still finds it
    return residents;
  }

  void arrive() {
    const std::lock_guard lock(mutex_);
    ++count_;
  }
  void leave() noexcept {
    const std::lock_guard lock(mutex_);
    if (--count_ > 0) return;
    for (const Kept& kept : kept_) kept.how(kept.thing);
    kept_.clear();
  }

  /// Now, or when nothing is resident any more. [setup]
  void release(std::uintptr_t thing, Release how) noexcept {
    if (!keep(thing, how)) how(thing);
  }
  /// Frees memory of cudaMalloc() and of cudaHostAlloc(). [setup]
  void free_device(void* memory) noexcept {
    release(reinterpret_cast<std::uintptr_t>(memory),
            [](std::uintptr_t thing) { (void)cudaFree(reinterpret_cast<void*>(thing)); });
  }
  void free_pinned(void* memory) noexcept {
    release(reinterpret_cast<std::uintptr_t>(memory),
            [](std::uintptr_t thing) { (void)cudaFreeHost(reinterpret_cast<void*>(thing)); });
  }

 private:
  struct Kept {
    std::uintptr_t thing;
    Release how;
  };

  bool keep(std::uintptr_t thing, Release how) noexcept {
    const std::lock_guard lock(mutex_);
    if (count_ == 0) return false;
    try {
      kept_.push_back({thing, how});
    } catch (const std::bad_alloc&) {  // lost: better than a wait without end
    }
    return true;
  }

  std::mutex mutex_;
  int count_ = 0;
  std::vector<Kept> kept_;
};

}  // namespace ringwave::cuda
