// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringwave {

/// What a device is. Everything here is read once, without running anything on the device.
struct DeviceProfile {
  std::string name;                        ///< model name as the maker writes it
  std::uint64_t memory_bytes = 0;          ///< RAM of the machine, or memory of the GPU
  int cores = 0;                           ///< cores that this process may use, or streaming multiprocessors
  std::string instruction_set;             ///< "AVX2", or the compute capability: "sm_90"
  std::vector<std::uint64_t> cache_bytes;  ///< from the nearest level outwards; data caches only
  std::string driver;                      ///< driver version; empty for a CPU
  std::string uuid;                        ///< tells two equal GPUs apart; empty for a CPU
  std::string pci_bus;                     ///< "0000:0f:00.0"; empty for a CPU
};

/// What a device can move, measured when it is asked for. Gigabytes (10^9) a second.
struct Bandwidth {
  double memory_gbs = 0;          ///< copy inside the device's memory, bytes read plus bytes written
  double host_to_device_gbs = 0;  ///< from pinned memory; 0 for a CPU
  double device_to_host_gbs = 0;  ///< to pinned memory; 0 for a CPU
};

/// Memory of a device now.
struct MemoryInfo {
  std::uint64_t free_bytes = 0;
  std::uint64_t total_bytes = 0;
};

/// What a GPU feels like now. A field is empty where the driver does not say.
struct Sensors {
  std::optional<double> temperature_c;
  std::optional<double> power_w;
  std::optional<double> power_limit_w;
  std::optional<int> core_clock_mhz;
  std::optional<int> memory_clock_mhz;
  std::optional<int> utilization_percent;
  std::optional<int> pcie_generation;
  std::optional<int> pcie_lanes;
  std::vector<std::string>
      throttle_reasons;  ///< why the clocks are below what they could be; empty when they are not
};

}  // namespace ringwave
