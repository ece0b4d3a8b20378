// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/router.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "ringwave/core/device_list.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::backend {
namespace {

using testing::HasSubstr;

/// The CPU and two devices of tests/modules.
std::span<const Device> devices() {
  static const DeviceList list = [] {
    setenv("RINGWAVE_TEST_DEVICES", "2", 1);
    DeviceList made(
        (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "../lib/libtest_device_module.so")
            .string());
    unsetenv("RINGWAVE_TEST_DEVICES");
    return made;
  }();
  if (list.devices().size() != 3) throw DeviceUnavailable(std::string(list.why_no_gpu()));
  return list.devices();
}

std::string always_well(Device) {
  return {};
}

/// `fft` at one size takes 10 us on the CPU and this long on the first GPU.
RoutingTable gpu_takes(double microseconds) {
  RoutingTable table("m");
  table.add("fft", "cpu", {.size = 64, .batch = 1, .seconds = 10e-6});
  table.add("fft", "cuda:0", {.size = 64, .batch = 1, .seconds = microseconds * 1e-6});
  return table;
}

const Workload kFft{.op = "fft", .size = 64, .batch = 1};

TEST(Router, WithoutATableOrAMeasurementEverythingGoesToTheCpu) {
  Router none(std::nullopt, always_well);
  EXPECT_EQ(none.decide(kFft, devices()).device, Device::cpu());
  Router other(gpu_takes(1), always_well);
  EXPECT_EQ(other.decide({"stft", 64, 1}, devices()).device, Device::cpu());
  EXPECT_THAT(other.decide({"stft", 64, 1}, devices()).reason, HasSubstr("not measured"));
  const std::vector<Device> gpus(devices().begin() + 1, devices().end());
  EXPECT_EQ(none.decide(kFft, gpus).device, gpus.front()) << "there is no CPU to fall back to";
}

TEST(Router, TheFasterDeviceWinsAndTheReasonNamesBothTimes) {
  Router fast(gpu_takes(2), always_well);
  const auto decision = fast.decide(kFft, devices());
  EXPECT_EQ(decision.device.name(), "cuda:0");
  EXPECT_THAT(decision.reason, testing::AllOf(HasSubstr("2 us on cuda:0"), HasSubstr("10 us on cpu")));
  Router slow(gpu_takes(20), always_well);
  EXPECT_EQ(slow.decide(kFft, devices()).device, Device::cpu());
}

TEST(Router, OfSeveralWaysTheFastestOnAnyDeviceWins) {
  const std::vector<Workload> ways{{"filter/launch", 64, 1}, {"filter/ring", 64, 1}};
  RoutingTable table("m");
  table.add("filter/launch", "cpu", {.size = 64, .batch = 1, .seconds = 8e-6});
  table.add("filter/launch", "cuda:0", {.size = 64, .batch = 1, .seconds = 20e-6});
  table.add("filter/ring", "cpu", {.size = 64, .batch = 1, .seconds = 9e-6});
  table.add("filter/ring", "cuda:0", {.size = 64, .batch = 1, .seconds = 5e-6});
  Router router(table, always_well);
  const auto all = router.decide(ways, devices());
  EXPECT_EQ(all.device.name(), "cuda:0");
  EXPECT_EQ(all.alternative, 1U);
  EXPECT_THAT(all.reason,
              testing::AllOf(HasSubstr("5 us on cuda:0 by filter/ring"), HasSubstr("8 us on cpu")));
  const auto on_cpu = router.decide(ways, devices().first(1));
  EXPECT_EQ(on_cpu.device, Device::cpu());
  EXPECT_EQ(on_cpu.alternative, 0U);
  Router none(std::nullopt, always_well);
  EXPECT_EQ(none.decide(ways, devices()).alternative, 0U) << "nothing was measured: the first way";
  EXPECT_THROW((void)router.decide(std::span<const Workload>{}, devices()), InvalidArgument);
}

TEST(Router, OnlyCandidatesAreChosen) {
  Router router(gpu_takes(2), always_well);
  EXPECT_EQ(router.decide(kFft, devices().first(1)).device, Device::cpu());
  EXPECT_EQ(router.decide(kFft, devices().last(1)).device.name(), "cuda:1");
  EXPECT_THROW((void)router.decide(kFft, {}), InvalidArgument);
}

/// At size 64 the CPU is clearly faster, at 4096 the GPU, at 512 they are 4 % apart.
TEST(Router, AnOpStaysWhereItIsUntilAnotherDeviceIsTwoPercentFaster) {
  RoutingTable table("m");
  const auto add = [&](int size, double cpu, double gpu) {
    table.add("fft", "cpu", {.size = size, .batch = 1, .seconds = cpu});
    table.add("fft", "cuda:0", {.size = size, .batch = 1, .seconds = gpu});
  };
  add(64, 1e-6, 9e-6);
  add(512, 10e-6, 9.85e-6);
  add(4096, 80e-6, 12e-6);
  Router router(table, always_well);
  const auto name_at = [&](int size) { return router.decide({"fft", size, 1}, devices()).device.name(); };
  EXPECT_EQ(name_at(512), "cuda:0") << "the first time the faster one";
  EXPECT_EQ(name_at(64), "cpu");
  EXPECT_EQ(name_at(512), "cpu") << "1.5 % are no reason to move";
  EXPECT_EQ(name_at(4096), "cuda:0");
  EXPECT_EQ(name_at(512), "cuda:0");
}

TEST(Router, IsWithinTwoPercentOfTheBestAtEveryMeasuredPointInAnyOrder) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> exponent(-6.0, -5.8);  // close together: hysteresis matters
  for (int trial = 0; trial < 50; ++trial) {
    RoutingTable table("m");
    std::vector<Workload> workloads;
    for (const char* op : {"fft", "gain"})
      for (const int size : {64, 512, 4096})
        for (const int batch : {1, 16}) {
          workloads.push_back({op, size, batch});
          for (const Device device : devices())
            table.add(op, device.name(), {size, batch, std::pow(10.0, exponent(random))});
        }
    Router router(table, always_well);
    for (int call = 0; call < 200; ++call) {
      const Workload& workload = workloads[random() % workloads.size()];
      const Device chosen = router.decide(workload, devices()).device;
      double best = 1;
      for (const Device device : devices()) best = std::min(best, *table.estimate(workload, device.name()));
      ASSERT_LE(*table.estimate(workload, chosen.name()), best * 1.02 * (1 + 1e-12));
    }
  }
}

TEST(Router, AnUnwellGpuIsPassedOverAndTakenAgainTenSecondsAfterItRecovered) {
  using namespace std::chrono_literals;
  std::chrono::steady_clock::time_point now{1h};
  std::string health;
  Router router(
      gpu_takes(2), [&](Device) { return health; }, [&] { return now; });
  const auto name = [&] { return router.decide(kFft, devices()).device.name(); };
  EXPECT_EQ(name(), "cuda:0");
  health = "throttled";
  EXPECT_EQ(name(), "cpu");
  now += 30s;
  EXPECT_EQ(name(), "cpu") << "it is still unwell";
  health.clear();
  now += 9s;
  EXPECT_EQ(name(), "cpu") << "last seen unwell 9 s ago";
  now += 1s;
  EXPECT_EQ(name(), "cuda:0");
}

TEST(Router, TheHealthOfOneGpuIsNotAnothers) {
  RoutingTable table = gpu_takes(2);
  table.add("fft", "cuda:1", {.size = 64, .batch = 1, .seconds = 3e-6});
  Router router(table, [](Device device) { return std::string(device.index() == 0 ? "hot" : ""); });
  EXPECT_EQ(router.decide(kFft, devices()).device.name(), "cuda:1");
}

TEST(Router, AGpuThatCannotEvenBeAskedIsPassedOver) {
  Router router(gpu_takes(2), [](Device) -> std::string { throw DeviceLost("gone"); });
  EXPECT_EQ(router.decide(kFft, devices()).device, Device::cpu());
}

TEST(Router, TheCpuIsNeverAskedForItsHealth) {
  Router router(gpu_takes(20), [](Device device) { return "unwell: " + device.name(); });
  EXPECT_EQ(router.decide(kFft, devices()).device, Device::cpu());
}

TEST(Router, ChecksHealthByLossMemoryAndHeat) {
  const Device gpu = devices()[1];
  const auto health = [&](const char* state) {
    setenv("RINGWAVE_TEST_HEALTH", state, 1);
    const std::string found = Router::check_health(gpu);
    unsetenv("RINGWAVE_TEST_HEALTH");
    return found;
  };
  EXPECT_EQ(health(""), "");
  EXPECT_EQ(health("lost"), "lost");
  EXPECT_THAT(health("full"), HasSubstr("memory"));
  EXPECT_THAT(health("hot"), HasSubstr("hardware thermal slowdown"));
  EXPECT_EQ(Router::check_health(Device::cpu()), "");
}

TEST(Router, ManyThreadsMayAsk) {
  Router router(gpu_takes(2), always_well);
  const auto candidates = devices();
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int call = 0; call < 200; ++call)
        if (router.decide({i % 2 == 0 ? "fft" : "stft", 64, 1}, candidates).device.name() !=
            (i % 2 == 0 ? "cuda:0" : "cpu"))
          ++wrong;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace ringwave::backend
