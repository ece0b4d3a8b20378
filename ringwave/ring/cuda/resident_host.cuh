// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ringwave/core/device.hpp"
#include "ringwave/ring/kernel_host.hpp"

namespace ringwave::ring::cuda {

/// A kernel on a GPU, with all its memory; throws OutOfMemory, DeviceLost. [setup]
[[nodiscard]] std::unique_ptr<KernelHost> make_resident_host(Device device, HostRequest request);

}  // namespace ringwave::ring::cuda
