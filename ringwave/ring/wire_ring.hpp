// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "ringwave/ring/slot.hpp"

namespace ringwave::ring {

/// A ring of slots as a device sees it; an inbox is four of them, one behind the other.
struct WireRing {
  std::byte* slots = nullptr;
  std::uint64_t mask = 0;
  std::uint32_t shift = 0;
  std::uint32_t stride = 0;

  /// So many slots, a power of two, of so many bytes. [any]
  [[nodiscard]] static WireRing of(std::byte* slots, std::size_t capacity, std::size_t stride) {
    return {slots, capacity - 1, static_cast<std::uint32_t>(std::countr_zero(capacity)),
            static_cast<std::uint32_t>(stride)};
  }

  [[nodiscard]] RW_HOST_DEVICE std::byte* slot(std::uint64_t index, std::size_t band = 0) const {
    return slots + (band * (mask + 1) + (index & mask)) * stride;
  }
  [[nodiscard]] RW_HOST_DEVICE std::uint32_t epoch(std::uint64_t index) const {
    return Slot::epoch(index, shift);
  }
};

}  // namespace ringwave::ring
