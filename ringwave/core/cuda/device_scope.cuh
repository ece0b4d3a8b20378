// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/core/cuda/contexts.cuh"

namespace ringwave::cuda {

/// Makes a device the calling thread's current one while it lives: CUDA keeps that per thread, and an op may
/// be called from any. Where there is one device it is every thread's already: asking CUDA takes 35 ns.
class DeviceScope {
 public:
  explicit DeviceScope(int device) noexcept : device_(device), is_alone_(contexts().is_alone()) {
    if (!is_alone_) before_ = contexts().enter(device);
  }
  ~DeviceScope() {
    if (!is_alone_) contexts().leave(device_, before_);
  }
  DeviceScope(const DeviceScope&) = delete;  // it belongs to one scope of one thread
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  /// Made before there was a device.
  static const Contexts& contexts() noexcept { return Contexts::instance(); }

  int device_;
  bool is_alone_;
  void* before_ = nullptr;
};

}  // namespace ringwave::cuda
