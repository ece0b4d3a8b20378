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
  int threads = 32;           ///< of a block
  bool has_window = true;     ///< the host may store into the device's memory
  std::string there = "cpu";  ///< of those elsewhere that they send to
  bool by_host = false;       ///< kernels on one device send to one another as if they were on several

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

/// Each GPU, and another one that its kernels send to; none where there is one. With RINGWAVE_CUDA_CONTEXTS=2
/// one is two. [setup]
inline std::vector<Place> places_of_two() {
  std::vector<Place> made;
  for (const Device device : Device::all())
    for (const Device other : Device::all()) {
      if (device.kind() == DeviceKind::cpu || other.kind() == DeviceKind::cpu || device == other) continue;
      Place place{.device = std::string(device.name()), .form = "to_" + std::string(other.name())};
      std::erase(place.form, ':');
      place.there = other.name();
      made.push_back(place);
      place.form += "_cluster";
      place.blocks = 4;
      made.push_back(place);
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
