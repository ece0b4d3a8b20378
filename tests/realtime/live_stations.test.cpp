// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/live_stations.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/live_place.hpp"
#include "tests/realtime/guard.hpp"
#include "tests/realtime/station_notes.hpp"

namespace ringwave::realtime {
namespace {

class RealtimeLiveStations : public testing::TestWithParam<LivePlace> {};

TEST_P(RealtimeLiveStations, MakeNoCallFromTheFirstBlockOn) {
  constexpr int kStations = 4;
  const auto& [device, way] = GetParam();
  live::LiveStations stations(
      device, {.stations = kStations, .voices = 8, .way = way, .deadline = std::chrono::seconds{20}});
  const StationNotes notes(kStations);
  bool ok = true;
  RealtimeGuard guard;
  for (int station = 0; station < kStations; ++station) ok &= stations.start(station, {}) == Status::ok;
  for (int block = 0; block < 50; ++block)
    ok &= stations.process(block % 20 == 0 ? notes.begins : notes.ends, 128) == Status::ok;
  ok &= stations.set(1, {.gain_db = -6}) == Status::ok && stations.stop(2) == Status::ok;
  ok &= stations.process({}, 128) == Status::ok;
  guard.end();
  EXPECT_EQ(guard.violations(), 0U) << guard.report();
  EXPECT_TRUE(ok);
  EXPECT_NE(stations.samples(3)[100], 0.0F);
}

INSTANTIATE_TEST_SUITE_P(Places, RealtimeLiveStations, testing::ValuesIn(live_places()), live_place_label);

TEST(RealtimeLateStations, AMissMakesNoCall) {
  live::LiveStations stations(
      Device::cpu(), {.stations = 1, .way = live::Way::ring, .deadline = std::chrono::milliseconds{5}});
  stations.kernel()->pause(std::chrono::seconds{20});
  RealtimeGuard guard;
  // More than the kernel's inbox holds.
  for (int block = 0; block < 20; ++block) (void)stations.process({}, 128);
  guard.end();
  EXPECT_EQ(guard.violations(), 0U) << guard.report();
  EXPECT_EQ(stations.misses(), 20U);
  EXPECT_EQ(stations.clock(), 0);
}

}  // namespace
}  // namespace ringwave::realtime
