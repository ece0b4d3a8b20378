// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ringwave/core/host_device.hpp"

namespace ringwave::ring {

/// The id of a message whose sender gave none, by its place: the kernel it is for, the band and the number
/// there, from the host or from another kernel. No other of the runtime has it, for 2^48 messages of a band;
/// it is never 0. [any]
[[nodiscard]] RW_HOST_DEVICE constexpr std::uint64_t message_id(std::uint16_t kernel, std::size_t band,
                                                                std::uint64_t index,
                                                                bool from_kernel = false) {
  return (std::uint64_t{from_kernel} << 63U | std::uint64_t{kernel} << 50U | std::uint64_t{band} << 48U) +
         index + 1;
}

}  // namespace ringwave::ring
