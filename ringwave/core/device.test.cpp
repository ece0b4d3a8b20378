// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/device.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Sets RINGWAVE_DEVICE for a scope and puts back what was there.
class DeviceVariable {
 public:
  explicit DeviceVariable(const char* value) {
    if (const char* now = std::getenv("RINGWAVE_DEVICE")) before_ = now;
    setenv("RINGWAVE_DEVICE", value, 1);
  }
  ~DeviceVariable() {
    if (before_)
      setenv("RINGWAVE_DEVICE", before_->c_str(), 1);
    else
      unsetenv("RINGWAVE_DEVICE");
  }

 private:
  std::optional<std::string> before_;
};

TEST(Device, IsFoundByItsName) {
  EXPECT_TRUE(Device::find("auto").is_automatic());
  EXPECT_EQ(Device::find("auto"), Device{});
  EXPECT_EQ(Device::find("cpu"), Device::cpu());
  for (const Device device : Device::all()) EXPECT_EQ(Device::find(device.name()), device);
}

TEST(Device, ANameThatIsNoneIsRefusedWithTheOnesThatAre) {
  for (const std::string name : {"", "gpu", "CPU", "cpu ", " cpu", "cpu:0", "cuda:", "cuda:x", "cuda:1x",
                                 "cuda:-1", "cuda:+1", "cuda: 1", "cuda0", "cuda:99999999999", "cuda:0:0"})
    EXPECT_THAT([&] { (void)Device::find(name); },
                ThrowsMessage<InvalidArgument>(AllOf(HasSubstr("'" + name + "'"), HasSubstr("cuda:N"))))
        << name;
}

TEST(Device, AGpuThatIsNotThereIsUnavailableAndTheReasonIsNamed) {
  EXPECT_THAT([] { (void)Device::find("cuda:4711"); },
              ThrowsMessage<DeviceUnavailable>(AllOf(HasSubstr("cuda:4711"), HasSubstr("ringwave devices"))));
  if (Device::all().size() == 1) {
    EXPECT_THAT([] { (void)Device::find("cuda"); },
                ThrowsMessage<DeviceUnavailable>(HasSubstr(std::string(Device::why_no_gpu()))));
  } else {
    EXPECT_EQ(Device::find("cuda"), Device::all()[1]);
  }
}

TEST(Device, SaysWhyThereIsNoGpuExactlyWhenThereIsNone) {
  ASSERT_FALSE(Device::all().empty());
  EXPECT_EQ(Device::all().front(), Device::cpu());
  EXPECT_EQ(Device::why_no_gpu().empty(), Device::all().size() > 1);
}

TEST(Device, TheEnvironmentNamesOne) {
  {
    const DeviceVariable variable("cpu");
    EXPECT_EQ(Device::from_environment(), Device::cpu());
  }
  {
    const DeviceVariable variable("");
    EXPECT_TRUE(Device::from_environment().is_automatic());
  }
  {
    const DeviceVariable variable("toaster");
    EXPECT_THAT([] { (void)Device::from_environment(); },
                ThrowsMessage<InvalidArgument>(AllOf(HasSubstr("RINGWAVE_DEVICE"), HasSubstr("toaster"))));
  }
  const DeviceVariable variable("cuda:4711");
  EXPECT_THAT([] { (void)Device::from_environment(); },
              ThrowsMessage<DeviceUnavailable>(HasSubstr("RINGWAVE_DEVICE")));
}

TEST(Device, AutoHasANameAndNothingElse) {
  const Device device;
  EXPECT_EQ(device.name(), "auto");
  EXPECT_FALSE(device.lost());
  EXPECT_THROW((void)device.profile(), InvalidState);
  EXPECT_THROW((void)device.memory(), InvalidState);
  EXPECT_THROW((void)device.sensors(), InvalidState);
  EXPECT_THROW((void)device.why_no_window(), InvalidState);
  EXPECT_THROW((void)device.measure_bandwidth(), InvalidState);
  EXPECT_THROW((void)device.runtime(), InvalidState);
}

TEST(Device, EveryDeviceHasASaneProfile) {
  for (const Device device : Device::all()) {
    const DeviceProfile& profile = device.profile();
    EXPECT_FALSE(profile.name.empty());
    EXPECT_GE(profile.cores, 1);
    EXPECT_LE(profile.cores, 4096);
    EXPECT_FALSE(profile.instruction_set.empty());
    EXPECT_GT(profile.memory_bytes, std::uint64_t{64} << 20);
    const MemoryInfo memory = device.memory();
    EXPECT_GT(memory.free_bytes, 0U);
    EXPECT_LE(memory.free_bytes, memory.total_bytes);
    EXPECT_FALSE(device.lost());
  }
  EXPECT_TRUE(Device::cpu().profile().driver.empty());
  EXPECT_TRUE(Device::cpu().sensors().throttle_reasons.empty());
  EXPECT_EQ(Device::cpu().why_no_window(), "");
}

TEST(Device, CachesGrowOutwards) {
  const auto& caches = Device::cpu().profile().cache_bytes;
  EXPECT_TRUE(std::is_sorted(caches.begin(), caches.end()));
}

TEST(Device, TheCpuMeasuresItsMemory) {
  const Bandwidth bandwidth = Device::cpu().measure_bandwidth();
  EXPECT_GT(bandwidth.memory_gbs, 0.01);  // a hundredth of the slowest machine of this century
  EXPECT_LT(bandwidth.memory_gbs, 1e5);   // a hundred times the fastest
  EXPECT_EQ(bandwidth.host_to_device_gbs, 0.0);
}

}  // namespace
}  // namespace ringwave
