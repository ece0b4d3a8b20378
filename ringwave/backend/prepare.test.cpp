// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/prepare.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "ringwave/core/error.hpp"
#include "ringwave/dsp/gain.hpp"
#include "ringwave/dsp/gain_twins.hpp"
#include "tests/scoped_environment.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::backend {
namespace {

namespace fs = std::filesystem;
using dsp::Gain;

/// An op that no backend has.
struct Nowhere {
  static constexpr std::string_view kName = "nowhere";
  using Twin = int;
  using Request = int;
};

TEST(Prepare, MakesTheTwinOnTheDeviceThatIsNamed) {
  const auto prepared = prepare<Gain>(Device::cpu(), {"gain", 64, 1}, {});
  EXPECT_EQ(prepared.device, Device::cpu());
  EXPECT_NE(prepared.twin, nullptr);
}

TEST(Prepare, AutoBecomesADevice) {
  const auto prepared = prepare<Gain>(Device{}, {"gain", 64, 1}, {});
  EXPECT_FALSE(prepared.device.is_automatic());
  EXPECT_NE(prepared.twin, nullptr);
}

TEST(Prepare, AnOpWithoutATwinOnThatDeviceIsUnavailable) {
  EXPECT_THROW((void)prepare<Nowhere>(Device::cpu(), {"nowhere", 64, 1}, 0), DeviceUnavailable);
  EXPECT_THROW((void)prepare<Nowhere>(Device{}, {"nowhere", 64, 1}, 0), Error);
}

/// What a program of its own does with a second device, from tests/modules, and a table in its cache folder.
class PrepareInAProgram : public testing::Test {
 protected:
  PrepareInAProgram() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // a new program, which reads the environment afresh
    folder_.emplace();
    environment_.set("XDG_CACHE_HOME", *folder_ / "cache");
    environment_.set("RINGWAVE_CUDA_MODULE",
                     fs::read_symlink("/proc/self/exe").parent_path() / "../lib/libtest_device_module.so");
  }
  ~PrepareInAProgram() override { folder_.reset(); }

  /// Says on which device `gain` is prepared for `auto`, and the router's hint.
  [[noreturn]] static void report() {
    const auto prepared = prepare<Gain>(Device{}, {"gain", 64, 1}, {});
    std::fprintf(stderr, "gain on %s. %s\n", prepared.device.name().c_str(),
                 Router::instance().hint().c_str());
    std::exit(0);
  }

  void write_table(const std::string& machine) {
    RoutingTable table(machine);
    table.add("gain", "cpu", {.size = 64, .batch = 1, .seconds = 2e-6});
    table.add("gain", "cuda:0", {.size = 64, .batch = 1, .seconds = 1e-6});
    table.save(RoutingTable::default_path());
  }

  /// How RoutingTable::this_machine() sees a machine with that second device.
  static std::string machine_with_test_device() {
    const DeviceProfile& cpu = Device::cpu().profile();
    const std::string shape = " x" + std::to_string(cpu.cores) + " " + cpu.instruction_set;
    return cpu.name + shape + " | Test device" + shape + " driver 1.0";
  }

  inline static std::optional<TemporaryFolder> folder_;  // static: the new program ends in the test
  ScopedEnvironment environment_;
};
using PrepareInAProgramDeathTest = PrepareInAProgram;

TEST_F(PrepareInAProgramDeathTest, WithNoTableItUsesTheCpuAndHintsAtTune) {
  EXPECT_EXIT(report(), testing::ExitedWithCode(0), "gain on cpu. no routing table .*'ringwave tune'");
}

TEST_F(PrepareInAProgramDeathTest, WithATableItUsesTheFasterDevice) {
  write_table(machine_with_test_device());
  EXPECT_EXIT(report(), testing::ExitedWithCode(0), "gain on cuda:0. \n");
}

TEST_F(PrepareInAProgramDeathTest, AnUnwellGpuIsPassedOver) {
  write_table(machine_with_test_device());
  environment_.set("RINGWAVE_TEST_HEALTH", "hot");
  EXPECT_EXIT(report(), testing::ExitedWithCode(0), "gain on cpu");
  setenv("RINGWAVE_TEST_HEALTH", "failing", 1);
  EXPECT_EXIT(report(), testing::ExitedWithCode(0), "gain on cpu");
}

TEST_F(PrepareInAProgramDeathTest, AForeignTableIsNotUsedAndTheHintSaysSo) {
  write_table("their machine");
  EXPECT_EXIT(report(), testing::ExitedWithCode(0), "gain on cpu. .*their machine.*'ringwave tune'");
}

TEST_F(PrepareInAProgramDeathTest, ATornTableIsNotUsedAndTheHintSaysSo) {
  write_table(machine_with_test_device());
  fs::resize_file(RoutingTable::default_path(), 100);
  EXPECT_EXIT(report(), testing::ExitedWithCode(0), "gain on cpu. .*not whole JSON");
}

}  // namespace
}  // namespace ringwave::backend
