// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "ringwave/core/realtime.hpp"
#include "ringwave/ring/kernel.hpp"
#include "ringwave/synth/renderer_twins.hpp"

namespace ringwave::live {

/// One way to have blocks of stations rendered: a renderer's twin. submit() has the block when it returns
/// `ok`; otherwise a miss was counted, and it is as if nothing had been submitted.
class StationsPort : public synth::RendererTwin {
 public:
  RW_REALTIME Status fetch() noexcept final { return Status::ok; }

  /// The ring kernel behind it; null where there is none. [any]
  [[nodiscard]] virtual const ring::Kernel* kernel() const noexcept { return nullptr; }

  /// As of LiveStations. [any]
  [[nodiscard]] std::uint64_t misses() const noexcept { return misses_.load(std::memory_order_relaxed); }
  [[nodiscard]] ring::Delivery last_miss() const noexcept {
    return last_miss_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t recoveries() const noexcept {
    return recoveries_.load(std::memory_order_relaxed);
  }

 protected:
  void note_miss(ring::Delivery delivery) noexcept {
    misses_.fetch_add(1, std::memory_order_relaxed);
    last_miss_.store(delivery, std::memory_order_relaxed);
  }
  void note_recovery() noexcept { recoveries_.fetch_add(1, std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> misses_{0};
  std::atomic<std::uint64_t> recoveries_{0};
  std::atomic<ring::Delivery> last_miss_{ring::Delivery::ok};
};

}  // namespace ringwave::live
