// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ringwave::live {

/// How a block gets to where it is processed, and back.
enum class Way : unsigned char {
  automatic,  ///< the fastest of the others, by what `ringwave tune` measured
  launch,     ///< the op's kernels are launched for each block; on the CPU the op is called
  graph,      ///< work that was captured once is replayed; on the CPU the op is called
  ring,       ///< a message to a kernel that is resident; on the CPU to a thread
};

/// The ways there are, the one that is never wrong by much first.
inline constexpr Way kWays[] = {Way::launch, Way::graph, Way::ring};

/// [any]
[[nodiscard]] constexpr std::string_view to_string(Way way) noexcept {
  constexpr std::string_view kWords[] = {"automatic", "launch", "graph", "ring"};
  return kWords[static_cast<unsigned char>(way)];
}

}  // namespace ringwave::live
