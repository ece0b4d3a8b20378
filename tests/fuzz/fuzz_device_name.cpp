// SPDX-License-Identifier: Apache-2.0
// Any name is a device, InvalidArgument or DeviceUnavailable; a device is found again by its own name.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "ringwave/core/device.hpp"
#include "ringwave/core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using ringwave::Device;
  try {
    const Device device = Device::find({reinterpret_cast<const char*>(data), size});
    if (Device::find(device.name()) != device) std::abort();
  } catch (const ringwave::InvalidArgument&) {
  } catch (const ringwave::DeviceUnavailable&) {
  }
  return 0;
}
