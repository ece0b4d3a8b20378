// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "ringwave/core/device.hpp"
#include "ringwave/live/live_spec.hpp"
#include "ringwave/live/way.hpp"

namespace ringwave::live {

/// Where and how; nothing of it `automatic`.
struct WayChoice {
  Device device;
  Way way = Way::launch;
};

/// The name under which `ringwave tune` measures a way of a live processor: "live_biquad/ring". [setup]
[[nodiscard]] std::string way_name(std::string_view processor, Way way);

/// What the spec says and, where it leaves something open, what the router knows of this machine. [setup]
[[nodiscard]] WayChoice choose_way(std::string_view processor, const LiveSpec& spec);

}  // namespace ringwave::live
