// SPDX-License-Identifier: Apache-2.0
// A module that fits: its devices do their work on the CPU but say that their memory is not the host's, so
// that everything that depends on a second device is tested where there is no GPU.
//
//   RINGWAVE_TEST_DEVICES    how many there are: 0 to 9, 1 where it is not set
//   RINGWAVE_TEST_HEALTH     "lost", "full", "hot", or "failing": asking for the memory throws DeviceLost
//   RINGWAVE_TEST_NO_WINDOW  why the host has no window into their memory; it has one where it is not set
#include <cstdlib>
#include <string_view>

#include "ringwave/backend/registry.hpp"
#include "ringwave/core/cpu_runtime.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/module.hpp"
#include "ringwave/core/version.hpp"
#include "ringwave/dsp/gain.hpp"
#include "ringwave/dsp/gain_twins.hpp"

namespace {

using namespace ringwave;

std::string_view environment(const char* name) noexcept {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

class TestRuntime final : public DeviceRuntime {
 public:
  explicit TestRuntime(int index) {
    profile_ = cpu_.profile();
    profile_.name = "Test device";
    profile_.driver = "1.0";
    profile_.uuid = "test-" + std::to_string(index);
  }
  [[nodiscard]] const DeviceProfile& profile() const noexcept override { return profile_; }
  [[nodiscard]] Bandwidth measure_bandwidth() override { return cpu_.measure_bandwidth(); }
  [[nodiscard]] MemoryInfo memory() const override {
    if (environment("RINGWAVE_TEST_HEALTH") == "failing") throw DeviceLost("the test device has failed");
    if (environment("RINGWAVE_TEST_HEALTH") == "full") return {.free_bytes = 49, .total_bytes = 1000};
    return {.free_bytes = 500, .total_bytes = 1000};
  }
  [[nodiscard]] Sensors sensors() const override {
    Sensors sensors;
    sensors.throttle_reasons = {"application clock setting"};  // no reason to stay away
    if (environment("RINGWAVE_TEST_HEALTH") == "hot")
      sensors.throttle_reasons.emplace_back("hardware thermal slowdown");
    return sensors;
  }
  [[nodiscard]] std::string why_no_window() override {
    return std::string(environment("RINGWAVE_TEST_NO_WINDOW"));
  }
  [[nodiscard]] bool lost() const noexcept override { return environment("RINGWAVE_TEST_HEALTH") == "lost"; }
  [[nodiscard]] void* allocate(std::size_t bytes) override { return cpu_.allocate(bytes); }
  void release(void* memory) noexcept override { cpu_.release(memory); }
  [[nodiscard]] void* allocate_pinned(std::size_t bytes) override { return cpu_.allocate_pinned(bytes); }
  void release_pinned(void* memory) noexcept override { cpu_.release_pinned(memory); }
  [[nodiscard]] bool unified() const noexcept override { return false; }
  [[nodiscard]] std::unique_ptr<QueueRuntime> make_queue(std::size_t depth) override {
    return cpu_.make_queue(depth);
  }

 private:
  CpuRuntime cpu_;
  DeviceProfile profile_;
};

std::vector<std::unique_ptr<DeviceRuntime>> open_devices(std::string& why_none) {
  const std::string_view asked = environment("RINGWAVE_TEST_DEVICES");
  const int count = asked.empty() ? 1 : asked.front() - '0';
  std::vector<std::unique_ptr<DeviceRuntime>> devices;
  for (int index = 0; index < count; ++index) devices.push_back(std::make_unique<TestRuntime>(index));
  if (devices.empty()) why_none = "no test device was asked for";
  return devices;
}

void register_ops(backend::Registry& registry) {
  registry.add<dsp::Gain>(DeviceKind::cuda, {.make = dsp::make_gain_cpu});
}

}  // namespace

extern "C" const ModuleInterface* ringwave_module() {
  static const ModuleInterface interface {
    .version = kVersion, .open_devices = open_devices, .register_ops = register_ops
  };
  return &interface;
}
