// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/core/device_profile.hpp"

namespace ringwave {

/// Model, cores, instruction set, caches and memory of this machine. [setup]
[[nodiscard]] DeviceProfile read_cpu_profile();

/// Memory that programs can still take, by the kernel's own estimate. [setup]
[[nodiscard]] MemoryInfo read_cpu_memory();

}  // namespace ringwave
