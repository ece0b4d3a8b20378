// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/renderer.hpp"

#include <gtest/gtest.h>

#include "tests/realtime/guard.hpp"
#include "tests/realtime/station_notes.hpp"

namespace ringwave::realtime {
namespace {

class RealtimeRenderer : public testing::TestWithParam<int> {};

TEST_P(RealtimeRenderer, MakesNoCallFromTheFirstBlockOn) {
  constexpr int kStations = 40;
  synth::Renderer renderer(Device::cpu(), {.stations = kStations, .voices = 8, .threads = GetParam()});
  const StationNotes notes(kStations);
  bool ok = true;
  RealtimeGuard guard;
  for (int station = 0; station < kStations; ++station) ok &= renderer.start(station, {}) == Status::ok;
  for (int block = 0; block < 50; ++block) {
    ok &= renderer.submit(block % 20 == 0 ? notes.begins : notes.ends, 480) == Status::ok;
    ok &= renderer.fetch() == Status::ok;
  }
  guard.end();
  EXPECT_EQ(guard.violations(), 0U) << guard.report();
  EXPECT_TRUE(ok);
  EXPECT_NE(renderer.samples(7)[100], 0.0F);
}

INSTANTIATE_TEST_SUITE_P(Threads, RealtimeRenderer, testing::Values(1, 3));

}  // namespace
}  // namespace ringwave::realtime
