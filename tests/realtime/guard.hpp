// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tests/realtime/violation.hpp"

namespace ringwave::realtime {

/// While it lives, the thread that made it is watched as an audio thread: every malloc and free, every lock
/// that could wait and every system call is recorded with its stack, and then done, so that the program goes
/// on.
///
///   RealtimeGuard guard;
///   op.process(in, out);
///   guard.end();
///   EXPECT_EQ(guard.violations(), 0U) << guard.report();
///
/// Functions are caught by this program's own definitions of them (interposed_*.cpp), which a shared library
/// calls too; system calls by the kernel (system_calls.cpp).
class RealtimeGuard {
 public:
  RealtimeGuard();
  ~RealtimeGuard() { end(); }
  RealtimeGuard(const RealtimeGuard&) = delete;  // the thread points to it
  RealtimeGuard& operator=(const RealtimeGuard&) = delete;

  /// Stops watching. What follows may be called only after it.
  void end() noexcept;

  /// Calls that were made, without those of the NVIDIA driver.
  [[nodiscard]] std::size_t violations();

  /// Calls that the NVIDIA driver and the CUDA runtime made.
  [[nodiscard]] std::size_t driver_violations();

  /// Every violation that is not the driver's, with its stack.
  [[nodiscard]] std::string report();

 private:
  friend class Trespass;
  friend void record_system_call(long number, void* caller) noexcept;
  void record(Violation violation, const void* caller) noexcept;
  void classify();

  std::vector<Violation> ways_;  // distinct stacks; never grows while watching
  std::size_t forgotten_ = 0;    // calls on stacks that found no room
  std::vector<Violation> ours_;
  std::size_t driver_violations_ = 0;
  StackSymbols symbols_;
  bool watching_ = true;
};

/// What an interposed function holds while it does what it was asked: records the call if the thread is
/// watched, and does not record what the call itself calls.
class Trespass {
 public:
  Trespass(const char* function, const void* caller) noexcept;
  ~Trespass();
  Trespass(const Trespass&) = delete;  // it belongs to one call
  Trespass& operator=(const Trespass&) = delete;

 private:
  RealtimeGuard* guard_;
};

/// The same for a system call that the kernel has stopped.
void record_system_call(long number, void* caller) noexcept;

}  // namespace ringwave::realtime
