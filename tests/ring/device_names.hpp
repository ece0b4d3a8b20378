// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ringwave/core/device.hpp"

namespace ringwave::ring {

/// Every device of this machine, for tests of what all hosts promise. [setup]
inline std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (const Device device : Device::all()) names.push_back(device.name());
  return names;
}

/// A device's name as a test's may be written. [setup]
inline std::string device_label(const testing::TestParamInfo<std::string>& made) {
  std::string name = made.param;
  std::erase(name, ':');
  return name;
}

}  // namespace ringwave::ring
