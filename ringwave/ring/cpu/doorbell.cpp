// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/cpu/doorbell.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

#include "ringwave/ring/ring_clock.hpp"

namespace ringwave::ring {

static_assert(sizeof(std::atomic<std::uint32_t>) == 4, "the kernel looks at the word itself");

void Doorbell::sleep(std::uint32_t ticket, std::int64_t deadline_ns) noexcept {
  const std::int64_t left = deadline_ns - ring_now_ns();
  if (left > 0) {
    timespec time{.tv_sec = left / 1'000'000'000, .tv_nsec = left % 1'000'000'000};
    // Wakes too early do no harm: whoever sleeps looks again.
    syscall(SYS_futex, &rings_, FUTEX_WAIT_PRIVATE, ticket, &time, nullptr, 0);
  }
  leave();
}

void Doorbell::wake() noexcept {
  syscall(SYS_futex, &rings_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace ringwave::ring
