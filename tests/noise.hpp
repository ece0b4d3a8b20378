// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace ringwave {

/// White noise from -1 to 1. [setup]
[[nodiscard]] inline std::vector<float> noise(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> made(count);
  for (float& sample : made) sample = uniform(random);
  return made;
}

}  // namespace ringwave
