// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "apps/cli/commands.hpp"
#include "ringwave/backend/router.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/core/version.hpp"

namespace ringwave::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<Device> chosen(const Common& common) {
  const Device device = common.find_device();
  if (!device.is_automatic()) return {device};
  const auto all = Device::all();
  return {all.begin(), all.end()};
}

Bandwidth measure(Device device) {
  const trace::Span span("measure bandwidth");
  return device.measure_bandwidth();
}

template <class Value>
void set_if(Json& json, const char* name, const std::optional<Value>& value) {
  if (value) json[name] = *value;
}

Json to_json(const Sensors& sensors) {
  Json json = Json::object();
  set_if(json, "temperature_c", sensors.temperature_c);
  set_if(json, "power_w", sensors.power_w);
  set_if(json, "power_limit_w", sensors.power_limit_w);
  set_if(json, "core_clock_mhz", sensors.core_clock_mhz);
  set_if(json, "memory_clock_mhz", sensors.memory_clock_mhz);
  set_if(json, "utilization_percent", sensors.utilization_percent);
  set_if(json, "pcie_generation", sensors.pcie_generation);
  set_if(json, "pcie_lanes", sensors.pcie_lanes);
  json["throttle_reasons"] = sensors.throttle_reasons;
  return json;
}

Json to_json(Device device) {
  const DeviceProfile& profile = device.profile();
  const MemoryInfo memory = device.memory();
  const Bandwidth bandwidth = measure(device);
  Json json{{"device", device.name()},
            {"name", profile.name},
            {"cores", profile.cores},
            {"instruction_set", profile.instruction_set},
            {"cache_bytes", profile.cache_bytes},
            {"memory_bytes", profile.memory_bytes},
            {"free_bytes", memory.free_bytes},
            {"memory_gbs", bandwidth.memory_gbs}};
  if (device.kind() == DeviceKind::cuda) {
    json["host_to_device_gbs"] = bandwidth.host_to_device_gbs;
    json["device_to_host_gbs"] = bandwidth.device_to_host_gbs;
    json["driver"] = profile.driver;
    json["uuid"] = profile.uuid;
    json["pci_bus"] = profile.pci_bus;
    json["sensors"] = to_json(device.sensors());
    const std::string why_no_window = device.why_no_window();
    json["window"] = why_no_window.empty();
    if (!why_no_window.empty()) json["why_no_window"] = why_no_window;
  }
  return json;
}

void print_sensors(const Sensors& sensors) {
  std::string line;
  const auto add = [&](const char* format, const auto& value) {
    if (!value) return;
    char text[64];
    std::snprintf(text, sizeof text, format, static_cast<double>(*value));
    line += (line.empty() ? "" : ", ") + std::string(text);
  };
  add("%.0f C", sensors.temperature_c);
  add("%.0f W", sensors.power_w);
  add("core %.0f MHz", sensors.core_clock_mhz);
  add("memory %.0f MHz", sensors.memory_clock_mhz);
  add("%.0f %% busy", sensors.utilization_percent);
  add("PCIe %.0f", sensors.pcie_generation);
  add("x%.0f", sensors.pcie_lanes);
  if (!line.empty()) std::printf("        %s\n", line.c_str());
  for (const std::string& reason : sensors.throttle_reasons)
    std::printf("        throttled: %s\n", reason.c_str());
}

/// Through a window the host stores its messages for ring kernels into the GPU's own memory.
void print_window(Device device) {
  const std::string why_none = device.why_no_window();
  std::printf("        %s\n", why_none.empty() ? "the host has a window into its memory"
                                               : ("no window into its memory: " + why_none).c_str());
}

void print(Device device) {
  const DeviceProfile& profile = device.profile();
  const Bandwidth bandwidth = measure(device);
  std::printf("%-7s %s, %d %s, %s, %.1f GiB\n", device.name().c_str(), profile.name.c_str(), profile.cores,
              device.kind() == DeviceKind::cpu ? "cores" : "SMs", profile.instruction_set.c_str(),
              static_cast<double>(profile.memory_bytes) / (1 << 30));
  std::printf("        memory copy %.1f GB/s", bandwidth.memory_gbs);
  if (device.kind() == DeviceKind::cuda)
    std::printf(", from the host %.1f GB/s, to the host %.1f GB/s, driver %s", bandwidth.host_to_device_gbs,
                bandwidth.device_to_host_gbs, profile.driver.c_str());
  std::printf("\n");
  print_sensors(device.sensors());
  if (device.kind() == DeviceKind::cuda) print_window(device);
}

ExitCode list_devices(const Common& common, bool json) {
  const std::vector<Device> devices = chosen(common);
  const std::string why_no_gpu{Device::why_no_gpu()};
  if (json) {
    Json list = Json::array();
    for (const Device device : devices) list.push_back(to_json(device));
    Json root{{"version", kVersion}, {"devices", list}};
    if (!why_no_gpu.empty()) root["why_no_gpu"] = why_no_gpu;
    std::cout << root.dump(2) << '\n';
    return ExitCode::ok;
  }
  for (const Device device : devices) print(device);
  if (!why_no_gpu.empty()) std::printf("no GPU: %s\n", why_no_gpu.c_str());
  if (const std::string& hint = backend::Router::instance().hint(); !hint.empty())
    std::printf("hint: %s\n", hint.c_str());
  return ExitCode::ok;
}

}  // namespace

void add_devices(CLI::App& app, Common& common, Run& run) {
  CLI::App& command = add_command(app, common, "devices",
                                  "Show what this machine can compute on, and how fast it moves memory");
  const auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "Print JSON");
  command.callback([&common, &run, json] { run = [&common, json] { return list_devices(common, *json); }; });
}

}  // namespace ringwave::cli
