// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ringwave/core/device_profile.hpp"

namespace ringwave {

/// Temperature, power, clocks and throttle reasons of the GPU at `pci_bus` ("0000:0f:00.0"), through the
/// driver's management library, which is opened at the first call. Everything is empty where there is no such
/// library or GPU. Takes about a millisecond. [setup]
[[nodiscard]] Sensors read_gpu_sensors(const std::string& pci_bus);

/// The driver's version as its maker writes it ("580.159.04"); empty where there is none. [setup]
[[nodiscard]] std::string read_gpu_driver_version();

}  // namespace ringwave
