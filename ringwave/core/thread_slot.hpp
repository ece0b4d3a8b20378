// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace ringwave {

namespace detail {
inline std::atomic<unsigned> thread_slots{0};
inline constinit thread_local unsigned thread_slot = 0;
}  // namespace detail

/// A small number of the calling thread's own, from 1 on, by which threads keep out of each other's cache
/// lines. [any]
inline unsigned thread_slot() noexcept {
  if (detail::thread_slot == 0)
    detail::thread_slot = detail::thread_slots.fetch_add(1, std::memory_order_relaxed) + 1;
  return detail::thread_slot;
}

}  // namespace ringwave
