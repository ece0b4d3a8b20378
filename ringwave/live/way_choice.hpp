// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "ringwave/core/device.hpp"
#include "ringwave/live/way.hpp"

namespace ringwave::live {

/// Where and how.
struct WayChoice {
  Device device;
  Way way = Way::automatic;
};

/// The name under which `ringwave tune` measures a way of a live processor: "live_biquad/ring". [setup]
[[nodiscard]] std::string way_name(std::string_view processor, Way way);

/// As it was asked for and, where that leaves something open, by what the router knows of this machine for
/// blocks of so many frames of `batch` channels or stations; nothing is `automatic` then. [setup]
[[nodiscard]] WayChoice choose_way(std::string_view processor, const WayChoice& asked, int frames, int batch);

}  // namespace ringwave::live
