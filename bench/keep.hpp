// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringwave::bench {

/// Makes the compiler believe that `value`, and all memory it can reach, is looked at here: work whose result
/// nobody uses would be removed, and malloc with a free after it disappears as a pair. [any]
template <class T>
inline void keep(const T& value) noexcept {
  asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace ringwave::bench
