// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/core/device.hpp"
#include "ringwave/ring/shared_memory.hpp"
#include "ringwave/ring/shared_word.hpp"

namespace ringwave::ring {

/// Where each kernel of a runtime lives, by its number: in memory that kernels on a GPU read before they hand
/// the host a message for one elsewhere.
class Whereabouts {
 public:
  using Place = std::uint32_t;
  static constexpr Place kNowhere = 0;  ///< there is none, or it does not run
  static constexpr Place kCpu = 1;
  static constexpr std::size_t kNumbers = 256;

  /// A device as a place. [any]
  [[nodiscard]] static Place place_of(Device device) noexcept {
    return device.kind() == DeviceKind::cuda ? kCpu + 1 + static_cast<Place>(device.index()) : kCpu;
  }

  /// For kernels on that device and others of its kind. Throws OutOfMemory. [setup]
  explicit Whereabouts(Device device) : memory_(device, kNumbers * sizeof(Place)) {}

  /// [any]
  void set(std::uint16_t number, Place place) noexcept { poke_release(words()[number], place); }
  [[nodiscard]] Place of(std::uint16_t number) const noexcept { return peek_acquire(words()[number]); }

  /// kNumbers of them, for a device. [any]
  [[nodiscard]] Place* words() const noexcept { return reinterpret_cast<Place*>(memory_.data()); }

 private:
  SharedMemory memory_;
};

}  // namespace ringwave::ring
