// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "ringwave/core/device.hpp"
#include "ringwave/core/device_runtime.hpp"

namespace ringwave::cuda {

/// One NVIDIA GPU, in one context.
class CudaRuntime final : public DeviceRuntime {
 public:
  /// A device, and the number that CUDA has for its GPU. [setup]
  CudaRuntime(int index, int gpu);

  /// The GPU that `device` names. Throws DeviceLost for one that has failed in this process. [setup]
  [[nodiscard]] static CudaRuntime& of(Device device);

  [[nodiscard]] const DeviceProfile& profile() const noexcept override { return profile_; }
  [[nodiscard]] Bandwidth measure_bandwidth() override;
  [[nodiscard]] MemoryInfo memory() const override;
  [[nodiscard]] Sensors sensors() const override;
  [[nodiscard]] std::string why_no_window() override;
  [[nodiscard]] bool lost() const noexcept override { return lost_.load(std::memory_order_acquire); }
  [[nodiscard]] void* allocate(std::size_t bytes) override;
  void release(void* memory) noexcept override;
  [[nodiscard]] void* allocate_pinned(std::size_t bytes) override;
  void release_pinned(void* memory) noexcept override;
  [[nodiscard]] bool unified() const noexcept override { return false; }
  [[nodiscard]] std::unique_ptr<QueueRuntime> make_queue(std::size_t depth) override;

  [[nodiscard]] int index() const noexcept { return index_; }
  [[nodiscard]] int gpu() const noexcept { return gpu_; }

  /// Remembers a fatal error and says what audio code should answer. [audio]
  Status note(cudaError_t error) noexcept;

  /// note(), then throws where `error` is one. [setup]
  void require(cudaError_t error, const std::string& asked);

 private:
  int index_;
  int gpu_;
  DeviceProfile profile_;
  std::atomic<bool> lost_{false};
};

/// The GPUs that the driver offers; none, with a sentence in `why_none`, where it has none or is absent.
/// [setup]
[[nodiscard]] std::vector<std::unique_ptr<DeviceRuntime>> open_devices(std::string& why_none);

}  // namespace ringwave::cuda
