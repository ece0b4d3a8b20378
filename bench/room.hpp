// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/noise.hpp"

namespace ringwave::bench {

/// A response as of a room: noise that dies away by 60 dB. [setup]
[[nodiscard]] inline std::vector<float> make_room(std::uint32_t seed, std::size_t taps) {
  std::vector<float> made = make_noise(seed, taps);
  for (std::size_t k = 0; k < taps; ++k)
    made[k] *= std::exp(-6.9F * static_cast<float>(k) / static_cast<float>(taps));
  return made;
}

}  // namespace ringwave::bench
