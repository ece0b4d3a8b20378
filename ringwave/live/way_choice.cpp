// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/way_choice.hpp"

#include <vector>

#include "ringwave/backend/router.hpp"

namespace ringwave::live {

std::string way_name(std::string_view processor, Way way) {
  return std::string(processor).append("/").append(to_string(way));
}

WayChoice choose_way(std::string_view processor, const WayChoice& asked, int frames, int batch) {
  if (!asked.device.is_automatic() && asked.way != Way::automatic) return asked;
  std::vector<Way> ways(std::begin(kWays), std::end(kWays));
  if (asked.way != Way::automatic) ways = {asked.way};
  std::vector<backend::Workload> workloads;
  workloads.reserve(ways.size());
  for (const Way way : ways) workloads.push_back({way_name(processor, way), frames, batch});
  std::vector<Device> devices{asked.device};
  if (asked.device.is_automatic()) devices.assign(Device::all().begin(), Device::all().end());
  const auto decision = backend::Router::instance().decide(workloads, devices);
  return {decision.device, ways[decision.alternative]};
}

}  // namespace ringwave::live
