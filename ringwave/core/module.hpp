// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ringwave/core/device.hpp"
#include "ringwave/core/device_runtime.hpp"

namespace ringwave::backend {
class Registry;
}

namespace ringwave::ring {
class Handlers;
class KernelHost;
struct HostRequest;
}  // namespace ringwave::ring

namespace ringwave {

/// What a backend module exports, as the result of its one C function `ringwave_module`. The first two fields
/// never move, so that any version can tell another one.
struct ModuleInterface {
  static constexpr std::uint64_t kMagic = 0x52574d4f44554c45;  // "RWMODULE"
  std::uint64_t magic = kMagic;
  const char* version = nullptr;  ///< must equal the library's: the interface has no other promise

  /// The devices that it can use; where there are none, `why_none` becomes a sentence.
  std::vector<std::unique_ptr<DeviceRuntime>> (*open_devices)(std::string& why_none) = nullptr;
  /// Adds its twins of every op.
  void (*register_ops)(backend::Registry& registry) = nullptr;
  /// Adds its part of every ring-kernel handler of the library.
  void (*register_handlers)(ring::Handlers& handlers) = nullptr;
  /// A ring kernel on one of its devices.
  std::unique_ptr<ring::KernelHost> (*make_ring_host)(Device device, ring::HostRequest request) = nullptr;
};

/// A backend in a shared object that is opened at run time and stays open until the program ends, because its
/// code may be on any stack.
class Module {
 public:
  /// Throws DeviceUnavailable, with what to do, for a file that is absent, does not load, is no Ringwave
  /// module or belongs to another version. [setup]
  explicit Module(const std::string& path);

  [[nodiscard]] const ModuleInterface& interface() const noexcept { return *interface_; }

  /// Where the CUDA module is looked for: what RINGWAVE_CUDA_MODULE names, else beside this library. [setup]
  [[nodiscard]] static std::string cuda_path();

 private:
  const ModuleInterface* interface_ = nullptr;
};

}  // namespace ringwave
