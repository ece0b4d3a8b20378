// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/core/device_runtime.hpp"

namespace ringwave {

/// The CPU as a device: its memory is the host's and its queues are threads.
class CpuRuntime final : public DeviceRuntime {
 public:
  CpuRuntime();
  [[nodiscard]] const DeviceProfile& profile() const noexcept override { return profile_; }
  [[nodiscard]] Bandwidth measure_bandwidth() override;
  [[nodiscard]] MemoryInfo memory() const override;
  [[nodiscard]] Sensors sensors() const override { return {}; }
  [[nodiscard]] std::string why_no_window() override { return {}; }
  [[nodiscard]] bool lost() const noexcept override { return false; }
  [[nodiscard]] void* allocate(std::size_t bytes) override;
  void release(void* memory) noexcept override;
  [[nodiscard]] void* allocate_pinned(std::size_t bytes) override { return allocate(bytes); }
  void release_pinned(void* memory) noexcept override { release(memory); }
  [[nodiscard]] bool unified() const noexcept override { return true; }
  [[nodiscard]] std::unique_ptr<QueueRuntime> make_queue(std::size_t depth) override;

 private:
  DeviceProfile profile_;
};

}  // namespace ringwave
