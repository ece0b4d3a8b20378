// SPDX-License-Identifier: Apache-2.0
// Every registered op, on every device there is, processes its blocks without a forbidden call. An op joins
// by being registered.
#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <vector>

#include "ringwave/backend/registry.hpp"
#include "ringwave/core/device.hpp"
#include "tests/realtime/guard.hpp"
#include "tests/realtime/system_calls.hpp"
#include "tests/test_label.hpp"

namespace ringwave::realtime {
namespace {

struct OpOnDevice {
  const backend::OpInfo* op = nullptr;
  Device device;
};

void PrintTo(const OpOnDevice& value, std::ostream* out) {
  *out << value.op->name << " on " << value.device.name();
}

std::vector<OpOnDevice> ops_on_devices() {
  std::vector<OpOnDevice> found;
  for (const backend::OpInfo& op : backend::Registry::instance().ops())
    for (const Device device : Device::all())
      if (!op.is_offline) found.push_back({&op, device});
  return found;
}

std::string name_of(const testing::TestParamInfo<OpOnDevice>& test) {
  return test_label(test.param.op->name) + "_" + device_label(test.param.device);
}

/// Sizes and batches to try: the smallest, odd ones, usual ones, and the op's own up to what fits a test.
std::vector<backend::Workload> workloads_of(const backend::OpInfo& op) {
  constexpr int kMostSamples = 1 << 20;
  std::vector<backend::Workload> found;
  for (const int size : {1, 63, 480})
    for (const int batch : {1, 3}) found.push_back({op.name, size, batch});
  for (const int size : op.sizes)
    for (const int batch : op.batches)
      if (batch <= kMostSamples / size) found.push_back({op.name, size, batch});
  return found;
}

class RealtimeOps : public testing::TestWithParam<OpOnDevice> {};

TEST_P(RealtimeOps, ProcessMakesNoForbiddenCall) {
  const auto& [op, device] = GetParam();
  std::size_t driver_calls = 0;
  std::size_t blocks = 0;
  for (const backend::Workload& workload : workloads_of(*op)) {
    SCOPED_TRACE(std::to_string(workload.batch) + " x " + std::to_string(workload.size));
    const auto trial = op->make_trial(device, workload.size, workload.batch);
    for (int i = 0; i < 3; ++i) ASSERT_EQ(trial->run(), Status::ok);
    constexpr std::size_t kBlocks = 4;
    Status status = Status::ok;
    RealtimeGuard guard;
    for (std::size_t i = 0; i < kBlocks && status == Status::ok; ++i) status = trial->run();
    guard.end();
    ASSERT_EQ(status, Status::ok);
    ASSERT_EQ(guard.violations(), 0U) << op->name << " on " << device.name() << " made:\n" << guard.report();
    driver_calls += guard.driver_violations();
    blocks += kBlocks;
  }
  // Not ours to forbid, but ours to know.
  if (device.kind() == DeviceKind::cuda)
    std::cout << op->name << " on " << device.name() << ": " << driver_calls
              << " calls inside the NVIDIA driver in " << blocks << " blocks\n";
}

TEST_P(RealtimeOps, TheFirstBlockMakesNoForbiddenCall) {
  const auto& [op, device] = GetParam();
  const auto trial = op->make_trial(device, 256, 2);
  RealtimeGuard guard;
  const Status status = trial->run();
  guard.end();
  EXPECT_EQ(status, Status::ok);
  EXPECT_EQ(guard.violations(), 0U) << op->name << " on " << device.name() << " made:\n" << guard.report();
}

INSTANTIATE_TEST_SUITE_P(Registered, RealtimeOps, testing::ValuesIn(ops_on_devices()), name_of);

TEST(RealtimeCoverage, SystemCallsAreChecked) {
  if (const std::string why = why_no_system_call_watch(); !why.empty())
    GTEST_SKIP() << "memory and locks were checked, system calls were not: " << why;
}

TEST(RealtimeCoverage, CudaIsChecked) {
  if (Device::all().size() == 1) GTEST_SKIP() << "the CUDA half was not run: " << Device::why_no_gpu();
}

}  // namespace
}  // namespace ringwave::realtime
