// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "ringwave/core/realtime.hpp"
#include "ringwave/ring/kernel.hpp"

namespace ringwave::live {

/// Kernel::request() for an audio thread: looks for the reply without sleeping. `timed_out` where none came
/// in that time; then it is forgotten. `reply` has room for it. [audio], where the kernel's wait is `spin` or
/// it is on a GPU
RW_REALTIME [[nodiscard]] ring::Delivery spun_request(const ring::Kernel& kernel,
                                                      const ring::Outgoing& message, ring::Letter& reply,
                                                      std::chrono::nanoseconds time) noexcept;

}  // namespace ringwave::live
