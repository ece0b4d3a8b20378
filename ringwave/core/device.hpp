// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <span>
#include <string>
#include <string_view>

#include "ringwave/core/device_profile.hpp"

namespace ringwave {

class DeviceRuntime;

enum class DeviceKind : unsigned char { automatic, cpu, cuda };

/// Where work runs. A small value: copy it freely.
///
/// The default, `auto`, names no device: an op that is prepared with it asks the router, which compares what
/// was measured on this machine (`ringwave tune`).
class Device {
 public:
  /// `auto`. [any]
  constexpr Device() noexcept = default;

  /// The device of that name: "auto", "cpu", "cuda" (the first) or "cuda:N". Throws InvalidArgument for a
  /// name that is none of these, DeviceUnavailable with the reason where the machine has no such device.
  /// [setup]
  [[nodiscard]] static Device find(std::string_view name);

  /// What RINGWAVE_DEVICE names; `auto` where it is not set. Throws as find() does. [setup]
  [[nodiscard]] static Device from_environment();

  /// The CPU; there always is one. [setup]
  [[nodiscard]] static Device cpu();

  /// Every device of this machine, the CPU first. The first call opens the CUDA module. [setup]
  [[nodiscard]] static std::span<const Device> all();

  /// Why all() holds no GPU, in one sentence; empty where it holds one. [setup]
  [[nodiscard]] static std::string_view why_no_gpu();

  [[nodiscard]] constexpr DeviceKind kind() const noexcept { return kind_; }
  [[nodiscard]] constexpr int index() const noexcept { return index_; }
  [[nodiscard]] constexpr bool is_automatic() const noexcept { return kind_ == DeviceKind::automatic; }

  /// "auto", "cpu", "cuda:0": what find() understands. [any]
  [[nodiscard]] std::string name() const;

  /// What the device is. Throws InvalidState for `auto`, which is none; so do the next five. [setup]
  [[nodiscard]] const DeviceProfile& profile() const;
  /// Runs copies for some tens of milliseconds. [setup]
  [[nodiscard]] Bandwidth measure_bandwidth() const;
  [[nodiscard]] MemoryInfo memory() const;
  [[nodiscard]] Sensors sensors() const;
  /// Why the host cannot store into the device's memory directly, in one sentence; empty where it can. Tries
  /// it, for which nothing may be resident on the device. Throws DeviceLost. [setup]
  [[nodiscard]] std::string why_no_window() const;
  /// The backend's side of it. [setup]
  [[nodiscard]] DeviceRuntime& runtime() const;

  /// True once the device has failed; it does not come back in this process. [any]
  [[nodiscard]] bool lost() const noexcept;

  friend constexpr bool operator==(const Device& a, const Device& b) noexcept {
    return a.kind_ == b.kind_ && a.index_ == b.index_;
  }

 private:
  friend class DeviceList;
  constexpr Device(DeviceKind kind, int index, DeviceRuntime* runtime) noexcept
      : runtime_(runtime), index_(index), kind_(kind) {}

  DeviceRuntime* runtime_ = nullptr;
  int index_ = 0;
  DeviceKind kind_ = DeviceKind::automatic;
};

}  // namespace ringwave
