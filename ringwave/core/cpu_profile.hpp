// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/core/device_profile.hpp"

namespace ringwave {

/// Model, cores, instruction set, caches and memory of this machine. [setup]
[[nodiscard]] DeviceProfile read_cpu_profile();

/// Memory that programs can still take, by the kernel's own estimate. [setup]
[[nodiscard]] MemoryInfo read_cpu_memory();

/// True on a CPU that stores 64 bytes at once, over a bus, too (MOVDIR64B). [any]
[[nodiscard]] bool stores_whole_lines() noexcept;

}  // namespace ringwave
