// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string_view>

namespace ringwave {

enum class PressureLevel : unsigned char { normal, warning, critical };

/// The level as a word. [any]
[[nodiscard]] std::string_view to_string(PressureLevel level) noexcept;

/// Watches how full a memory is and tells subscribers when its level changes.
///
/// Warning at 80 % and critical at 95 % by default. A level is left only five points below where it is
/// entered, so that a use that hovers at a limit does not ring the bell with every block.
class MemoryPressure {
 public:
  struct Thresholds {
    double warning = 0.80;
    double critical = 0.95;
    double hysteresis = 0.05;
  };
  using Subscriber = std::function<void(PressureLevel)>;

  /// Ends the subscription when it is destroyed.
  using Subscription = std::shared_ptr<void>;

  /// Throws InvalidArgument unless 0 < warning < critical <= 1. [setup]
  explicit MemoryPressure(Thresholds thresholds);
  MemoryPressure() : MemoryPressure(Thresholds{}) {}

  /// Calls `subscriber` on every change of level, on the thread that reports it, until the result is dropped.
  /// The subscriber may report, but not subscribe, unsubscribe or throw. [setup]
  [[nodiscard]] Subscription subscribe(Subscriber subscriber);

  /// `used_bytes` of `total_bytes` are taken; returns the level that follows. [setup]
  PressureLevel report(std::uint64_t used_bytes, std::uint64_t total_bytes);

  /// The level of the last report. [any]
  [[nodiscard]] PressureLevel level() const;

 private:
  struct Shared {
    std::recursive_mutex mutex;  // a subscriber may report: giving memory back does
    std::list<Subscriber> subscribers;
    PressureLevel level = PressureLevel::normal;
  };

  [[nodiscard]] PressureLevel next_level(PressureLevel now, double fullness) const noexcept;

  Thresholds thresholds_;
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

}  // namespace ringwave
