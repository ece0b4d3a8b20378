// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "ringwave/core/device.hpp"

namespace ringwave::ring {

/// Where kernels are tried, and as how many blocks.
struct Place {
  std::string device;
  int blocks = 1;

  [[nodiscard]] bool is_cpu() const { return device == "cpu"; }
};

inline std::ostream& operator<<(std::ostream& out, const Place& place) {
  return out << place.device << ", blocks: " << place.blocks;
}

/// Every device of this machine, for tests of what all hosts promise; a GPU with kernels of one block, of a
/// cluster and of a grid. [setup]
inline std::vector<Place> places() {
  constexpr int kCluster = 4;
  constexpr int kGrid = 12;
  std::vector<Place> made;
  for (const Device device : Device::all()) {
    made.push_back({std::string(device.name())});
    if (made.back().is_cpu()) continue;
    made.push_back({std::string(device.name()), kCluster});
    made.push_back({std::string(device.name()), kGrid});
  }
  return made;
}

/// As a test's name may be written. [setup]
inline std::string place_label(const testing::TestParamInfo<Place>& made) {
  std::string name = made.param.device;
  std::erase(name, ':');
  return made.param.blocks == 1 ? name : name + "_" + std::to_string(made.param.blocks) + "_blocks";
}

}  // namespace ringwave::ring
