// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/far_fence.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace ringwave::ring {

void far_fence() noexcept {
  static const bool is_ready = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  if (is_ready && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) return;
  // Where the kernel has none, or a sandbox forbids it: no processor keeps a write to itself that long.
  std::this_thread::sleep_for(std::chrono::milliseconds{1});
}

}  // namespace ringwave::ring
