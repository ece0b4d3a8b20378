// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/memory_pressure.hpp"

#include <utility>

#include "ringwave/core/error.hpp"

namespace ringwave {

std::string_view to_string(PressureLevel level) noexcept {
  switch (level) {
    case PressureLevel::normal:
      return "normal";
    case PressureLevel::warning:
      return "warning";
    case PressureLevel::critical:
      return "critical";
  }
  return "unknown";
}

MemoryPressure::MemoryPressure(Thresholds thresholds) : thresholds_(thresholds) {
  if (!(thresholds.warning > 0 && thresholds.warning < thresholds.critical && thresholds.critical <= 1 &&
        thresholds.hysteresis >= 0 && thresholds.hysteresis < thresholds.warning))
    throw InvalidArgument("memory pressure needs 0 <= hysteresis < warning < critical <= 1");
}

MemoryPressure::Subscription MemoryPressure::subscribe(Subscriber subscriber) {
  const std::scoped_lock lock(shared_->mutex);
  const auto entry = shared_->subscribers.insert(shared_->subscribers.end(), std::move(subscriber));
  return {static_cast<void*>(nullptr), [shared = shared_, entry](void*) {
            const std::scoped_lock unsubscribe_lock(shared->mutex);
            shared->subscribers.erase(entry);
          }};
}

PressureLevel MemoryPressure::next_level(PressureLevel now, double fullness) const noexcept {
  const double critical =
      thresholds_.critical - (now == PressureLevel::critical ? thresholds_.hysteresis : 0);
  const double warning = thresholds_.warning - (now != PressureLevel::normal ? thresholds_.hysteresis : 0);
  if (fullness >= critical) return PressureLevel::critical;
  if (fullness >= warning) return PressureLevel::warning;
  return PressureLevel::normal;
}

PressureLevel MemoryPressure::report(std::uint64_t used_bytes, std::uint64_t total_bytes) {
  const std::scoped_lock lock(shared_->mutex);
  const double fullness =
      total_bytes == 0 ? 1.0 : static_cast<double>(used_bytes) / static_cast<double>(total_bytes);
  const PressureLevel before = std::exchange(shared_->level, next_level(shared_->level, fullness));
  if (shared_->level != before)
    for (const Subscriber& subscriber : shared_->subscribers) subscriber(shared_->level);
  return shared_->level;
}

PressureLevel MemoryPressure::level() const {
  const std::scoped_lock lock(shared_->mutex);
  return shared_->level;
}

}  // namespace ringwave
