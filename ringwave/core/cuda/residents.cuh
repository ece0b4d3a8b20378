// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <mutex>
#include <vector>

namespace ringwave::cuda {

/// Kernels that stay on a device, and memory that is to be freed while there are any: CUDA frees nothing
/// before all work of the device has ended, which would be never. It is freed when the last one has left.
class Residents {
 public:
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
    for (void* const memory : device_) (void)cudaFree(memory);
    for (void* const memory : pinned_) (void)cudaFreeHost(memory);
    device_.clear();
    pinned_.clear();
  }

  /// Frees memory of cudaMalloc() and of cudaHostAlloc(). [setup]
  void free_device(void* memory) noexcept {
    if (memory != nullptr && !keep(device_, memory)) (void)cudaFree(memory);
  }
  void free_pinned(void* memory) noexcept {
    if (memory != nullptr && !keep(pinned_, memory)) (void)cudaFreeHost(memory);
  }

 private:
  bool keep(std::vector<void*>& list, void* memory) noexcept {
    const std::lock_guard lock(mutex_);
    if (count_ == 0) return false;
    try {
      list.push_back(memory);
    } catch (const std::bad_alloc&) {  // lost: better than a wait without end
    }
    return true;
  }

  std::mutex mutex_;
  int count_ = 0;
  std::vector<void*> device_;
  std::vector<void*> pinned_;
};

}  // namespace ringwave::cuda
