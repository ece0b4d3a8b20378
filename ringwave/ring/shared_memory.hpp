// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#include "ringwave/core/device.hpp"
#include "ringwave/core/device_runtime.hpp"

namespace ringwave::ring {

/// Zeroed memory of the host that a device reads and writes directly; of the CPU, plain memory.
class SharedMemory {
 public:
  /// Throws OutOfMemory. [setup]
  SharedMemory(Device device, std::size_t bytes)
      : runtime_(&device.runtime()),
        bytes_(bytes),
        data_(static_cast<std::byte*>(runtime_->allocate_pinned(bytes))) {
    std::memset(data_, 0, bytes);
  }
  ~SharedMemory() {
    if (data_ != nullptr) runtime_->release_pinned(data_);
  }
  SharedMemory(const SharedMemory&) = delete;  // two sides know its address
  SharedMemory& operator=(const SharedMemory&) = delete;

  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  DeviceRuntime* runtime_;
  std::size_t bytes_;
  std::byte* data_;
};

}  // namespace ringwave::ring
