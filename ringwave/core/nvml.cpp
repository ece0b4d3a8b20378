// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/nvml.hpp"

#include <dlfcn.h>

#include <array>
#include <utility>

namespace ringwave {
namespace {

// The part of the library's stable C interface that is used here: NVML promises never to change these.
using NvmlDevice = void*;
struct NvmlUtilization {
  unsigned gpu, memory;
};
constexpr int kSuccess = 0;
constexpr int kTemperatureGpu = 0;
constexpr int kClockSm = 1;
constexpr int kClockMemory = 2;

constexpr std::array<std::pair<unsigned long long, const char*>, 8> kThrottleReasons{{
    {0x02, "application clock setting"},
    {0x04, "power cap"},
    {0x08, "hardware slowdown"},
    {0x10, "sync boost"},
    {0x20, "software thermal slowdown"},
    {0x40, "hardware thermal slowdown"},
    {0x80, "power brake"},
    {0x100, "display clock setting"},
}};  // bit 0x01 is "idle", which is no reason to worry

class Nvml {
 public:
  static const Nvml& instance() {
    static const Nvml nvml;
    return nvml;
  }

  [[nodiscard]] Sensors read(const std::string& pci_bus) const {
    Sensors sensors;
    NvmlDevice device = nullptr;
    if (!ready_ || by_bus_(pci_bus.c_str(), &device) != kSuccess) return sensors;
    unsigned value = 0;
    if (ok(temperature_, device, kTemperatureGpu, &value)) sensors.temperature_c = value;
    if (ok(power_, device, &value)) sensors.power_w = value * 1e-3;
    if (ok(power_limit_, device, &value)) sensors.power_limit_w = value * 1e-3;
    if (ok(clock_, device, kClockSm, &value)) sensors.core_clock_mhz = static_cast<int>(value);
    if (ok(clock_, device, kClockMemory, &value)) sensors.memory_clock_mhz = static_cast<int>(value);
    if (ok(pcie_generation_, device, &value)) sensors.pcie_generation = static_cast<int>(value);
    if (ok(pcie_width_, device, &value)) sensors.pcie_lanes = static_cast<int>(value);
    NvmlUtilization utilization{};
    if (ok(utilization_, device, &utilization))
      sensors.utilization_percent = static_cast<int>(utilization.gpu);
    unsigned long long reasons = 0;
    if (ok(throttle_, device, &reasons))
      for (const auto& [bit, words] : kThrottleReasons)
        if ((reasons & bit) != 0) sensors.throttle_reasons.emplace_back(words);
    return sensors;
  }

  [[nodiscard]] std::string driver_version() const {
    std::array<char, 96> text{};
    if (!ready_ || !ok(driver_, text.data(), static_cast<unsigned>(text.size()))) return {};
    return text.data();
  }

 private:
  Nvml() {
    void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    int (*init)() = nullptr;
    load(library, "nvmlInit_v2", init);
    load(library, "nvmlSystemGetDriverVersion", driver_);
    load(library, "nvmlDeviceGetHandleByPciBusId_v2", by_bus_);
    load(library, "nvmlDeviceGetTemperature", temperature_);
    load(library, "nvmlDeviceGetPowerUsage", power_);
    load(library, "nvmlDeviceGetEnforcedPowerLimit", power_limit_);
    load(library, "nvmlDeviceGetClockInfo", clock_);
    load(library, "nvmlDeviceGetUtilizationRates", utilization_);
    load(library, "nvmlDeviceGetCurrPcieLinkGeneration", pcie_generation_);
    load(library, "nvmlDeviceGetCurrPcieLinkWidth", pcie_width_);
    load(library, "nvmlDeviceGetCurrentClocksThrottleReasons", throttle_);
    ready_ = init != nullptr && by_bus_ != nullptr && init() == kSuccess;
  }

  template <class Function>
  static void load(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
  }

  template <class... Parameters, class... Arguments>
  static bool ok(int (*function)(Parameters...), Arguments... arguments) {
    return function != nullptr && function(arguments...) == kSuccess;
  }

  bool ready_ = false;
  int (*driver_)(char*, unsigned) = nullptr;
  int (*by_bus_)(const char*, NvmlDevice*) = nullptr;
  int (*temperature_)(NvmlDevice, int, unsigned*) = nullptr;
  int (*power_)(NvmlDevice, unsigned*) = nullptr;
  int (*power_limit_)(NvmlDevice, unsigned*) = nullptr;
  int (*clock_)(NvmlDevice, int, unsigned*) = nullptr;
  int (*utilization_)(NvmlDevice, NvmlUtilization*) = nullptr;
  int (*pcie_generation_)(NvmlDevice, unsigned*) = nullptr;
  int (*pcie_width_)(NvmlDevice, unsigned*) = nullptr;
  int (*throttle_)(NvmlDevice, unsigned long long*) = nullptr;
};

}  // namespace

Sensors read_gpu_sensors(const std::string& pci_bus) {
  return Nvml::instance().read(pci_bus);
}

std::string read_gpu_driver_version() {
  return Nvml::instance().driver_version();
}

}  // namespace ringwave
