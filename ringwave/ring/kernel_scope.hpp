// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "ringwave/ring/kernel.hpp"

namespace ringwave::ring {

/// A kernel that is active as long as this lives.
class KernelScope {
 public:
  explicit KernelScope(Kernel kernel) : kernel_(std::move(kernel)) {
    kernel_.launch();
    try {
      kernel_.activate();
    } catch (...) {
      kernel_.terminate();
      throw;
    }
  }
  ~KernelScope() { kernel_.terminate(); }
  KernelScope(const KernelScope&) = delete;  // one of them ends the kernel
  KernelScope& operator=(const KernelScope&) = delete;

  const Kernel* operator->() const noexcept { return &kernel_; }
  const Kernel& operator*() const noexcept { return kernel_; }

 private:
  Kernel kernel_;
};

}  // namespace ringwave::ring
