// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace ringwave::ring {

/// The id of the first message in a band of a kernel; the next has the next. No other band gives it, and no
/// other kernel of the runtime, for 2^48 messages; it is never 0. [any]
[[nodiscard]] constexpr std::uint64_t first_message_id(std::uint16_t kernel, std::size_t band) noexcept {
  return std::uint64_t{kernel} << 50U | std::uint64_t{band} << 48U | 1U;
}

}  // namespace ringwave::ring
