// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>

#include "ringwave/core/realtime.hpp"

namespace ringwave {

/// Hands objects from a thread that may allocate to an audio thread, and takes the old ones back, so that the
/// audio thread neither waits nor frees.
template <class T>
class Handover {
 public:
  Handover() = default;
  ~Handover() {
    delete offered_.load();
    free_returned();
  }
  Handover(const Handover&) = delete;  // two threads hold it by reference
  Handover& operator=(const Handover&) = delete;

  /// Offers an object, instead of one that was not taken yet; frees what was given back. [setup]
  void offer(std::unique_ptr<T> object) {
    free_returned();
    delete offered_.exchange(object.release(), std::memory_order_acq_rel);
  }

  /// What is offered; null where there is nothing. Who takes it gives the one before back, before it takes
  /// another. [audio]
  RW_REALTIME [[nodiscard]] std::unique_ptr<T> take() noexcept {
    if (offered_.load(std::memory_order_relaxed) == nullptr) return nullptr;
    taken_.store(true, std::memory_order_release);
    return std::unique_ptr<T>(offered_.exchange(nullptr, std::memory_order_acq_rel));
  }

  /// Gives the one before back, after its last use; the next offer() frees it. [audio]
  RW_REALTIME void give_back(std::unique_ptr<T> object) noexcept {
    // Three places are enough: between two offers' freeing there are at most what was in hand, what was on
    // offer, and the new offer.
    std::size_t place = 0;
    while (place + 1 < kPlaces && returned_[place].load(std::memory_order_acquire) != nullptr) ++place;
    returned_[place].store(object.release(), std::memory_order_release);
    taken_.store(false, std::memory_order_release);
  }

  /// True from an offer() until what it replaces was given back. [any]
  [[nodiscard]] bool busy() const noexcept {
    return offered_.load(std::memory_order_acquire) != nullptr || taken_.load(std::memory_order_acquire);
  }

 private:
  static constexpr std::size_t kPlaces = 3;

  void free_returned() {
    for (auto& place : returned_) delete place.exchange(nullptr, std::memory_order_acq_rel);
  }

  std::atomic<T*> offered_{nullptr};
  std::array<std::atomic<T*>, kPlaces> returned_{};
  std::atomic<bool> taken_{false};
};

}  // namespace ringwave
