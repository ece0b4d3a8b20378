// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/core/host_device.hpp"

namespace ringwave {

/// Another number for every number, in which no bit tells of its own: noise that depends on its place alone.
/// [any]
[[nodiscard]] RW_HOST_DEVICE inline std::uint32_t scrambled(std::uint32_t x) {
  x = (x ^ (x >> 16U)) * 0x7feb'352dU;
  x = (x ^ (x >> 15U)) * 0x846c'a68bU;
  return x ^ (x >> 16U);
}

}  // namespace ringwave
