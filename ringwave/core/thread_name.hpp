// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

#include "ringwave/core/trace.hpp"

namespace ringwave {

/// Gives the calling thread, which is one of ours, a name of at most 15 letters: in the trace, and for
/// debuggers and top. [setup]
inline void name_thread(const char* name) noexcept {
  trace::name_thread(name);
  (void)pthread_setname_np(pthread_self(), name);
}

}  // namespace ringwave
