// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "ringwave/ring/delivery.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::ring {

class KernelCore;

/// The kernels of a runtime by their numbers, for those that send to one another.
class KernelTable {
 public:
  static constexpr std::uint16_t kMostKernels = 255;

  /// [setup]
  void set(std::uint16_t number, KernelCore* kernel) noexcept {
    places_[number].store(kernel, std::memory_order_release);
  }
  /// Null where there is none. [any]
  [[nodiscard]] KernelCore* find(std::uint16_t number) const noexcept {
    return number <= kMostKernels ? places_[number].load(std::memory_order_acquire) : nullptr;
  }

  /// Sends from a kernel on the CPU, by the target's policy. [any]
  Delivery send(std::uint16_t target, const MessageHead& head, const void* payload,
                std::int64_t deadline_ns) const noexcept;

 private:
  std::array<std::atomic<KernelCore*>, kMostKernels + 1> places_{};
};

}  // namespace ringwave::ring
