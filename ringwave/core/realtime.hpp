// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/// Who may call a function: every public function's comment ends with one of these words.
///
///   [setup]   may allocate, wait, do I/O and throw; never on an audio thread
///   [audio]   once a block, before a deadline: wait-free, allocates nothing, cannot fail
///   [ring]    inside a resident kernel
///   [server]  the network side: may allocate, never waits for one listener
///   [any]     every thread at any time
///
/// RW_REALTIME marks [audio] functions, so that a compiler that knows how can check them too. tests/realtime
/// runs them under a guard that fails on malloc, free, a lock that could wait and every system call.
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(clang::nonblocking)
#define RW_REALTIME [[clang::nonblocking]]
#endif
#endif
#ifndef RW_REALTIME
#define RW_REALTIME
#endif

namespace ringwave {

/// Treats subnormal numbers as zero while it lives. A filter that rings out into silence ends in subnormals,
/// and each operation on one costs a hundred cycles on some processors: a quiet passage would miss the
/// deadline.
class FlushSubnormals {
 public:
  FlushSubnormals(const FlushSubnormals&) = delete;  // it belongs to one scope of one thread
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

#if defined(__SSE2__)
  /// Sets flush-to-zero and denormals-are-zero for this thread. [audio]
  FlushSubnormals() noexcept : saved_(_mm_getcsr()) {
    if ((saved_ & kFlush) != kFlush) _mm_setcsr(saved_ | kFlush);
  }
  ~FlushSubnormals() {
    if ((saved_ & kFlush) != kFlush) _mm_setcsr(saved_);
  }

 private:
  static constexpr unsigned kFlush = 0x8040;
  unsigned saved_;
#else
  FlushSubnormals() noexcept = default;
#endif
};

}  // namespace ringwave
