// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/way_choice.hpp"

#include <vector>

#include "ringwave/backend/router.hpp"

namespace ringwave::live {

std::string way_name(std::string_view processor, Way way) {
  return std::string(processor).append("/").append(to_string(way));
}

WayChoice choose_way(std::string_view processor, const LiveSpec& spec) {
  if (!spec.device.is_automatic() && spec.way != Way::automatic) return {spec.device, spec.way};
  std::vector<Way> ways(std::begin(kWays), std::end(kWays));
  if (spec.way != Way::automatic) ways = {spec.way};
  std::vector<backend::Workload> workloads;
  workloads.reserve(ways.size());
  for (const Way way : ways)
    workloads.push_back({way_name(processor, way), spec.max_block_frames, spec.channels});
  std::vector<Device> devices{spec.device};
  if (spec.device.is_automatic()) devices.assign(Device::all().begin(), Device::all().end());
  const auto decision = backend::Router::instance().decide(workloads, devices);
  return {decision.device, ways[decision.alternative]};
}

}  // namespace ringwave::live
