// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/device_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "ringwave/core/queue.hpp"

namespace ringwave {
namespace {

using testing::HasSubstr;

/// A module of tests/modules.
std::string module_path(const std::string& name) {
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  return program.parent_path() / "../lib" / ("lib" + name + ".so");
}

class DeviceListTest : public testing::Test {
 protected:
  ~DeviceListTest() override { unsetenv("RINGWAVE_TEST_DEVICES"); }
};

TEST_F(DeviceListTest, HoldsTheCpuThenTheDevicesOfTheModule) {
  setenv("RINGWAVE_TEST_DEVICES", "2", 1);
  const DeviceList list(module_path("test_device_module"));
  ASSERT_EQ(list.devices().size(), 3U);
  EXPECT_EQ(list.devices()[0], Device::cpu());
  EXPECT_EQ(list.devices()[1].name(), "cuda:0");
  EXPECT_EQ(list.devices()[2].name(), "cuda:1");
  EXPECT_EQ(list.devices()[2].profile().uuid, "test-1");
  EXPECT_EQ(list.why_no_gpu(), "");
  EXPECT_NE(list.cuda_module(), nullptr);
}

TEST_F(DeviceListTest, ADeviceOfAModuleDoesWork) {
  const DeviceList list(module_path("test_device_module"));
  ASSERT_EQ(list.devices().size(), 2U) << list.why_no_gpu();
  int ran = 0;
  Queue queue(list.devices()[1]);
  queue.submit([&ran](NativeQueue) noexcept { ++ran; });
  queue.synchronize();
  EXPECT_EQ(ran, 1);
}

TEST_F(DeviceListTest, AModuleWithoutADeviceKeepsItsReason) {
  setenv("RINGWAVE_TEST_DEVICES", "0", 1);
  const DeviceList list(module_path("test_device_module"));
  EXPECT_EQ(list.devices().size(), 1U);
  EXPECT_EQ(list.why_no_gpu(), "no test device was asked for");
  EXPECT_NE(list.cuda_module(), nullptr);
}

TEST_F(DeviceListTest, AModuleThatDoesNotFitIsPassedOverWithTheReason) {
  const DeviceList list(module_path("test_other_version_module"));
  EXPECT_EQ(list.devices().size(), 1U);
  EXPECT_THAT(std::string(list.why_no_gpu()), HasSubstr("0.0.0-other"));
  EXPECT_EQ(list.cuda_module(), nullptr);
  const DeviceList absent("/absent/module.so");
  EXPECT_EQ(absent.devices().size(), 1U);
  EXPECT_THAT(std::string(absent.why_no_gpu()), HasSubstr("/absent/module.so"));
}

}  // namespace
}  // namespace ringwave
