// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "ringwave/backend/routing_table.hpp"
#include "ringwave/backend/workload.hpp"
#include "ringwave/core/device.hpp"

namespace ringwave::backend {

/// Chooses the device on which an op is prepared, from what was measured on this machine.
///
/// The fastest device by the table wins. With hysteresis: a device that an op was last sent to keeps it until
/// another is more than 2 % faster. A GPU that is lost, throttled or nearly out of memory is passed over, and
/// for ten seconds after it was last seen so. With no table everything goes to the CPU, which is never wrong
/// by much.
///
/// Thread-safe.
class Router {
 public:
  /// Why a device should not get work; empty when it is well.
  using HealthCheck = std::function<std::string(Device)>;
  using TimeSource = std::function<std::chrono::steady_clock::time_point()>;

  struct Decision {
    Device device;
    std::string reason;           ///< for people: "measured 12.1 us on cuda:0, 80.3 us on cpu"
    std::size_t alternative = 0;  ///< of the workloads that were given
  };

  static constexpr double kHysteresis = 0.02;
  static constexpr std::chrono::seconds kRecovery{10};

  /// The router of this process, with the table of this machine. [setup]
  [[nodiscard]] static Router& instance();

  /// Why this device should not get work now: lost, throttled by heat or power, or under 5 % of its memory
  /// free; empty when it is well. [setup]
  [[nodiscard]] static std::string check_health(Device device);

  explicit Router(std::optional<RoutingTable> table, HealthCheck check = check_health,
                  TimeSource now = std::chrono::steady_clock::now);

  /// The best of `candidates`, which are never `auto` and at least one. [setup]
  [[nodiscard]] Decision decide(const Workload& workload, std::span<const Device> candidates) {
    return decide({&workload, 1}, candidates);
  }

  /// The same where one work can be done in several ways, each measured under a name of its own: the best of
  /// all ways on all candidates. Where nothing was measured, the first way. [setup]
  [[nodiscard]] Decision decide(std::span<const Workload> ways, std::span<const Device> candidates);

  /// One sentence that the user should see about the table: that there is none, or why it is not used. [any]
  [[nodiscard]] const std::string& hint() const noexcept { return hint_; }

  /// The table, where there is one. [any]
  [[nodiscard]] const std::optional<RoutingTable>& table() const noexcept { return table_; }

 private:
  struct Unwell {
    std::chrono::steady_clock::time_point until;
    std::string reason;
  };

  /// Why the device gets no work now, or was seen unwell a short while ago; empty when it may.
  [[nodiscard]] std::string why_passed_over(Device device);
  [[nodiscard]] std::string ask_health(Device device) const;

  std::optional<RoutingTable> table_;
  HealthCheck check_;
  TimeSource now_;
  std::string hint_;
  std::mutex mutex_;
  std::map<std::string, std::string> incumbents_;  // op to way and device
  std::map<std::string, Unwell> unwell_;           // by device name
};

}  // namespace ringwave::backend
