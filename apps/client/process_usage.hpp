// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ringwave::client {

/// What a process has used so far, and holds now.
struct ProcessUsage {
  double cpu_seconds = 0;  ///< of the user and of the system, by all threads
  std::int64_t resident_bytes = 0;
  int threads = 0;

  /// 0 is this process. Throws InvalidArgument for one that is not there, or not ours to see. [setup]
  [[nodiscard]] static ProcessUsage of(int pid);
  /// From what /proc/PID/stat says; pages and ticks are the system's. Throws Error where it is not that.
  /// [setup]
  [[nodiscard]] static ProcessUsage from_stat(std::string_view stat);
};

}  // namespace ringwave::client
