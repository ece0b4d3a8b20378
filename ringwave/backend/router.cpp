// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/router.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave::backend {
namespace {

struct Estimate {
  Device device;
  double seconds;
  std::size_t way;
  std::string name;  ///< of way and device
};

std::string in_words(const std::vector<Estimate>& estimates) {
  std::string words = "measured";
  for (const Estimate& estimate : estimates) {
    char text[64];
    std::snprintf(text, sizeof text, "%s %.4g us on ", &estimate == &estimates.front() ? "" : ",",
                  estimate.seconds * 1e6);
    words += text + estimate.name;
  }
  return words;
}

}  // namespace

Router& Router::instance() {
  static auto* router = [] {
    std::string hint;
    std::optional<RoutingTable> table;
    try {
      table = RoutingTable::load(RoutingTable::default_path(), RoutingTable::this_machine());
      if (!table && Device::all().size() > 1)
        hint =
            "no routing table for this machine: everything runs on the CPU until 'ringwave tune' has "
            "measured one";
    } catch (const BadFile& error) {
      hint = error.what();
    }
    auto* made = new Router(std::move(table));
    made->hint_ = std::move(hint);
    return made;
  }();
  return *router;
}

std::string Router::check_health(Device device) {
  if (device.lost()) return "lost";
  if (device.kind() != DeviceKind::cuda) return {};
  const MemoryInfo memory = device.memory();
  if (memory.free_bytes < memory.total_bytes / 20) return "nearly out of memory";
  for (const std::string& reason : device.sensors().throttle_reasons)
    if (reason.find("thermal") != std::string::npos || reason.find("slowdown") != std::string::npos ||
        reason.find("brake") != std::string::npos)
      return "throttled: " + reason;
  return {};
}

Router::Router(std::optional<RoutingTable> table, HealthCheck check, TimeSource now)
    : table_(std::move(table)), check_(std::move(check)), now_(std::move(now)) {}

std::string Router::why_passed_over(Device device) {
  const auto now = now_();
  Unwell& unwell = unwell_[device.name()];
  if (std::string reason = ask_health(device); !reason.empty()) unwell = {now + kRecovery, std::move(reason)};
  return now < unwell.until ? unwell.reason : std::string();
}

std::string Router::ask_health(Device device) const {
  try {
    return check_(device);
  } catch (const Error& error) {
    return error.what();  // a device that cannot even be asked gets no work
  }
}

Router::Decision Router::decide(std::span<const Workload> ways, std::span<const Device> candidates) {
  if (ways.empty()) throw InvalidArgument("no way was given to choose from");
  if (candidates.empty()) throw InvalidArgument("no device was given to choose from for " + ways.front().op);
  const std::scoped_lock lock(mutex_);
  const auto cpu = std::find_if(candidates.begin(), candidates.end(),
                                [](Device device) { return device.kind() == DeviceKind::cpu; });
  const Device fallback = cpu != candidates.end() ? *cpu : candidates.front();
  std::vector<Estimate> estimates;
  std::string passed_over;
  for (const Device device : candidates) {
    if (device.kind() != DeviceKind::cpu)
      if (const std::string reason = why_passed_over(device); !reason.empty()) {
        passed_over += "; " + device.name() + " is passed over: " + reason;
        continue;
      }
    for (std::size_t way = 0; way < ways.size(); ++way)
      if (const auto seconds = table_ ? table_->estimate(ways[way], device.name()) : std::nullopt)
        estimates.push_back({device, *seconds, way,
                             ways.size() == 1 ? device.name() : device.name() + " by " + ways[way].op});
  }
  if (estimates.empty()) return {fallback, "not measured" + passed_over};
  std::stable_sort(estimates.begin(), estimates.end(),
                   [](const Estimate& a, const Estimate& b) { return a.seconds < b.seconds; });
  std::string& incumbent = incumbents_[ways.front().op];
  const auto held = std::find_if(estimates.begin(), estimates.end(),
                                 [&](const Estimate& estimate) { return estimate.name == incumbent; });
  const bool keep = held != estimates.end() && held->seconds <= estimates.front().seconds * (1 + kHysteresis);
  const Estimate& chosen = keep ? *held : estimates.front();
  incumbent = chosen.name;
  return {chosen.device, in_words(estimates) + passed_over, chosen.way};
}

}  // namespace ringwave::backend
