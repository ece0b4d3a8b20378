// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "tests/realtime/stack_symbols.hpp"

namespace ringwave::realtime {

/// A call that audio code may not make, and the way there. Plain memory, so that it is recorded without a
/// call of that kind.
struct Violation {
  static constexpr std::size_t kMostFrames = 40;

  const char* function = nullptr;  ///< what was called: "malloc", or null for a system call
  long system_call = -1;           ///< its number
  std::size_t times = 0;           ///< how often, along this very stack
  std::size_t depth = 0;
  std::array<void*, kMostFrames> stack{};  ///< return addresses, the caller's first

  [[nodiscard]] bool same_way(const Violation& other) const noexcept;
};

/// "malloc" or "system call getpid". [setup]
[[nodiscard]] std::string call_of(const Violation& violation);

/// True where the call was made by the NVIDIA driver or the CUDA runtime, which nobody can keep from it.
/// [setup]
[[nodiscard]] bool is_of_driver(const Violation& violation, StackSymbols& symbols);

/// The call, then its stack, one function a line. [setup]
[[nodiscard]] std::string describe(const Violation& violation, StackSymbols& symbols);

}  // namespace ringwave::realtime
