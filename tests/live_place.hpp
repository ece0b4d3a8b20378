// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <tuple>
#include <vector>

#include "ringwave/core/device.hpp"
#include "ringwave/live/live_spec.hpp"
#include "tests/test_label.hpp"

namespace ringwave {

/// Where and how a live processor runs.
using LivePlace = std::tuple<Device, live::Way>;

/// Every device of this machine, by each of those ways. [setup]
[[nodiscard]] inline std::vector<LivePlace> live_places(std::vector<live::Way> ways = {
                                                            std::begin(live::kWays), std::end(live::kWays)}) {
  std::vector<LivePlace> places;
  for (const Device device : Device::all())
    for (const live::Way way : ways) places.emplace_back(device, way);
  return places;
}

/// As a test's name may be written: "cuda_0_ring". [setup]
[[nodiscard]] inline std::string live_place_label(const testing::TestParamInfo<LivePlace>& test) {
  const auto& [device, way] = test.param;
  return device_label(device) + "_" + std::string(to_string(way));
}

/// Tests of a live processor in a place.
class OnLivePlace : public testing::TestWithParam<LivePlace> {
 protected:
  /// With a deadline that is longer than a small machine holds a thread up. [setup]
  [[nodiscard]] static live::LiveSpec spec(int channels, int max_block_frames) {
    const auto& [device, way] = GetParam();
    return {.channels = channels,
            .max_block_frames = max_block_frames,
            .device = device,
            .way = way,
            .deadline = std::chrono::seconds{20}};
  }
};

}  // namespace ringwave
