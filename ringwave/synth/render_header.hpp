// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/synth/space_math.hpp"

namespace ringwave::synth {

/// A block, as the passes read it.
struct RenderHeader {
  std::int64_t clock = 0;
  int frames = 0;
  int stations = 0;
  int events = 0;
  int commands = 0;
  SpaceRule::Places places{};
};

/// A frame between two passes, stored and loaded as a whole.
struct alignas(8) BusFrame {
  float left;
  float right;
};

}  // namespace ringwave::synth
