// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ringwave::ring {

/// What the host wants of a kernel.
enum class Command : std::uint32_t { hold, run, end };

/// What the kernel says of itself.
enum class Phase : std::uint32_t {
  absent,   ///< not started
  holding,  ///< resident, handles nothing
  running,
  ended,
  failed,
};

}  // namespace ringwave::ring
