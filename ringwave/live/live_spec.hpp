// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>

#include "ringwave/core/device.hpp"
#include "ringwave/live/way.hpp"

namespace ringwave::live {

/// What every live processor is made for.
struct LiveSpec {
  double sample_rate_hz = 48000;
  int channels = 2;
  int max_block_frames = 480;  ///< channels times frames fit a message: 64 KiB
  Device device{};             ///< `auto`: by what was measured, together with the way
  Way way = Way::automatic;
  std::chrono::nanoseconds deadline{0};  ///< of one block; 0: as long as the longest block lasts

  [[nodiscard]] std::size_t max_samples() const noexcept {
    return static_cast<std::size_t>(channels) * static_cast<std::size_t>(max_block_frames);
  }
};

}  // namespace ringwave::live
