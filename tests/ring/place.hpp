// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "ringwave/core/device.hpp"

namespace ringwave::ring {

/// Where kernels are tried, and as what.
struct Place {
  std::string device;
  std::string form{};  ///< in a test's name; empty: a single warp
  int blocks = 1;
  int threads = 32;        ///< of a block
  bool has_window = true;  ///< the host may store into the device's memory
  bool by_host = false;    ///< kernels on one device send to one another as if they were on several

  [[nodiscard]] bool is_cpu() const { return device == "cpu"; }
};

inline std::ostream& operator<<(std::ostream& out, const Place& place) {
  return out << place.device << (place.form.empty() ? "" : ", ") << place.form;
}

/// Every device of this machine, for tests of what all hosts promise; a GPU with kernels in each of their
/// forms. [setup]
inline std::vector<Place> places() {
  std::vector<Place> made;
  for (const Device device : Device::all()) {
    const std::string name(device.name());
    made.push_back({.device = name});
    if (made.back().is_cpu()) continue;
    made.push_back({.device = name, .form = "without_window", .has_window = false});
    made.push_back({.device = name, .form = "by_host", .by_host = true});
    made.push_back({.device = name, .form = "several_warps", .threads = 96});
    made.push_back({.device = name, .form = "cluster", .blocks = 4});
    made.push_back({.device = name, .form = "grid", .blocks = 12});
  }
  return made;
}

/// As a test's name may be written. [setup]
inline std::string place_label(const testing::TestParamInfo<Place>& made) {
  std::string name = made.param.device;
  std::erase(name, ':');
  return made.param.form.empty() ? name : name + "_" + made.param.form;
}

}  // namespace ringwave::ring
