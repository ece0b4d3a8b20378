// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace ringwave::server {

/// Memory that the process has in RAM; 0 where the system does not say. [any]
[[nodiscard]] inline std::uint64_t resident_bytes() {
  std::ifstream pages("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  if (!(pages >> size >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace ringwave::server
