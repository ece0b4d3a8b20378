// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ringwave/core/device.hpp"
#include "ringwave/core/module.hpp"

namespace ringwave {

/// The devices of this machine, found once. A module that does not fit is passed over, and its reason kept.
class DeviceList {
 public:
  /// The one list of this process. [setup]
  [[nodiscard]] static const DeviceList& instance();

  /// Looks for devices with the CUDA module at `module_path`. [setup]
  explicit DeviceList(const std::string& module_path);

  /// The CPU first, then the GPUs. [any]
  [[nodiscard]] std::span<const Device> devices() const noexcept { return devices_; }

  /// Why there is no GPU, or an empty text. [any]
  [[nodiscard]] std::string_view why_no_gpu() const noexcept { return why_no_gpu_; }

  /// The CUDA module, where it fits; null otherwise, even with no GPU for it. [any]
  [[nodiscard]] const Module* cuda_module() const noexcept { return module_ ? &*module_ : nullptr; }

 private:
  std::optional<Module> module_;
  std::vector<std::unique_ptr<DeviceRuntime>> gpus_;
  std::vector<Device> devices_;
  std::string why_no_gpu_;
};

}  // namespace ringwave
