// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/device.hpp"

#include <charconv>
#include <cstdlib>

#include "ringwave/core/cpu_runtime.hpp"
#include "ringwave/core/device_list.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave {

Device Device::find(std::string_view name) {
  if (name == "auto") return {};
  if (name == "cpu") return cpu();
  int index = 0;
  const bool is_cuda = name.starts_with("cuda");
  std::string_view number = is_cuda ? name.substr(4) : name;
  if (is_cuda && !number.empty() && number.front() == ':') {
    number.remove_prefix(1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
    if (error == std::errc{} && end == number.data() + number.size() && index >= 0)
      number = {};
    else
      number = "?";
  }
  if (!is_cuda || !number.empty())
    throw InvalidArgument("device '" + std::string(name) + "' was asked for; use auto, cpu, cuda or cuda:N");
  const DeviceList& list = DeviceList::instance();
  for (const Device& device : list.devices())
    if (device.kind_ == DeviceKind::cuda && device.index_ == index) return device;
  const std::size_t gpus = list.devices().size() - 1;
  throw DeviceUnavailable("device '" + std::string(name) + "' was asked for, but " +
                          (gpus == 0
                               ? std::string(list.why_no_gpu())
                               : "the last of this machine's GPUs is cuda:" + std::to_string(gpus - 1)) +
                          "; 'ringwave devices' lists what there is");
}

Device Device::from_environment() {
  const char* name = std::getenv("RINGWAVE_DEVICE");
  if (name == nullptr || *name == '\0') return {};
  try {
    return find(name);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument("RINGWAVE_DEVICE: " + std::string(error.what()));
  } catch (const DeviceUnavailable& error) {
    throw DeviceUnavailable("RINGWAVE_DEVICE: " + std::string(error.what()));
  }
}

Device Device::cpu() {
  static auto* runtime =
      new CpuRuntime;  // never destroyed: static objects may hold its memory until the very end
  return {DeviceKind::cpu, 0, runtime};
}

std::span<const Device> Device::all() {
  return DeviceList::instance().devices();
}

std::string_view Device::why_no_gpu() {
  return DeviceList::instance().why_no_gpu();
}

std::string Device::name() const {
  switch (kind_) {
    case DeviceKind::automatic:
      return "auto";
    case DeviceKind::cpu:
      return "cpu";
    case DeviceKind::cuda:
      return "cuda:" + std::to_string(index_);
  }
  return "unknown";
}

DeviceRuntime& Device::runtime() const {
  if (runtime_ == nullptr)
    throw InvalidState(
        "'auto' names no device and has no profile or memory; use Device::cpu() or Device::find()");
  return *runtime_;
}

const DeviceProfile& Device::profile() const {
  return runtime().profile();
}

Bandwidth Device::measure_bandwidth() const {
  return runtime().measure_bandwidth();
}

MemoryInfo Device::memory() const {
  return runtime().memory();
}

Sensors Device::sensors() const {
  return runtime().sensors();
}

std::string Device::why_no_window() const {
  return runtime().why_no_window();
}

bool Device::lost() const noexcept {
  return runtime_ != nullptr && runtime_->lost();
}

}  // namespace ringwave
