// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/way_choice.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "ringwave/backend/routing_table.hpp"
#include "ringwave/live/live_stations.hpp"
#include "tests/scoped_environment.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::live {
namespace {

using backend::RoutingTable;

/// What a program of its own chooses by a table in its cache folder.
class WayChoiceInAProgram : public testing::Test {
 protected:
  WayChoiceInAProgram() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // a new program, which reads the environment afresh
    folder_.emplace();
    environment_.set("XDG_CACHE_HOME", *folder_ / "cache");
  }
  ~WayChoiceInAProgram() override { folder_.reset(); }

  /// The microseconds of a way on the CPU at those numbers of stations, for blocks of 16 and 480 frames.
  static void add(RoutingTable& table, Way way, int stations, double of_16, double of_480) {
    const std::string name = way_name(LiveStations::kName, way);
    table.add(name, "cpu", {.size = 16, .batch = stations, .seconds = of_16 * 1e-6});
    table.add(name, "cpu", {.size = 480, .batch = stations, .seconds = of_480 * 1e-6});
  }

  /// The kernel is the fastest for few frames of many stations, the graph for many frames of them; a single
  /// station is called.
  static void write_table() {
    RoutingTable table(RoutingTable::this_machine());
    add(table, Way::launch, 1, 5, 50);
    add(table, Way::launch, 10, 60, 600);
    add(table, Way::graph, 1, 9, 90);
    add(table, Way::graph, 10, 50, 100);
    add(table, Way::ring, 1, 15, 150);
    add(table, Way::ring, 10, 20, 400);
    table.save(RoutingTable::default_path());
  }

  /// Says how stations run that were asked for in this way, with a block that they render.
  static void report(int stations, int frames, Way way = Way::automatic, Device device = {}) {
    LiveStations made(
        device,
        {.stations = stations, .max_block_frames = frames, .way = way, .deadline = std::chrono::seconds{20}});
    const Status status = made.process({}, frames);
    std::fprintf(stderr, "%dx%d by %s on %s: %s. ", stations, frames,
                 std::string(to_string(made.way())).c_str(), made.device().name().c_str(),
                 std::string(to_string(status)).c_str());
  }

  inline static std::optional<TemporaryFolder> folder_;  // static: the new program ends in the test
  ScopedEnvironment environment_;
};
using WayChoiceInAProgramDeathTest = WayChoiceInAProgram;

TEST_F(WayChoiceInAProgramDeathTest, FollowsTheTable) {
  write_table();
  const auto choose = [] {
    report(1, 16);
    report(10, 16);
    report(10, 480);
    report(10, 16, Way::automatic, Device::cpu());
    std::exit(0);
  };
  EXPECT_EXIT(choose(), testing::ExitedWithCode(0),
              "1x16 by launch on cpu: ok. 10x16 by ring on cpu: ok. 10x480 by graph on cpu: ok. "
              "10x16 by ring on cpu: ok. ");
}

TEST_F(WayChoiceInAProgramDeathTest, IsNoneWhereTheWayIsGiven) {
  write_table();
  const auto choose = [] {
    report(10, 16, Way::launch);
    report(1, 16, Way::ring);
    report(1, 16, Way::graph, Device::cpu());
    std::exit(0);
  };
  EXPECT_EXIT(choose(), testing::ExitedWithCode(0),
              "10x16 by launch on cpu: ok. 1x16 by ring on cpu: ok. 1x16 by graph on cpu: ok. ");
}

TEST_F(WayChoiceInAProgramDeathTest, IsACallOnTheCpuWithNoTable) {
  const auto choose = [] {
    report(10, 16);
    report(10, 480);
    std::exit(0);
  };
  EXPECT_EXIT(choose(), testing::ExitedWithCode(0),
              "10x16 by launch on cpu: ok. 10x480 by launch on cpu: ok. ");
}

}  // namespace
}  // namespace ringwave::live
