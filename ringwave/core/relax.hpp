// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringwave {

/// Tells the core that its thread waits for another one, in a loop. [any]
inline void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace ringwave
