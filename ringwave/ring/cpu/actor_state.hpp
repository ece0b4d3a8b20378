// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "ringwave/ring/far_fence.hpp"
#include "ringwave/ring/kernel_host.hpp"

namespace ringwave::ring {

/// A kernel's thread as others see it, with the handler's state and the message in hand.
class ActorState {
 public:
  explicit ActorState(const HostRequest& request)
      : payload(request.spec.max_payload_bytes + 16),
        reply(request.desk->max_payload_bytes() + 16),
        bytes_(request.handler.state_bytes),
        memory_(static_cast<std::byte*>(
                    ::operator new (bytes_, std::align_val_t{request.handler.state_alignment})),
                Free{request.handler.state_alignment}) {}

  /// As before the first message. [setup]
  void begin(std::span<const std::byte> state) {
    std::ranges::copy(state, memory_.get());
    busy_since_ns.store(0);
    answered_.store(true);
    left.store(false);
    phase.store(Phase::absent, std::memory_order_release);
  }

  [[nodiscard]] void* handler() const noexcept { return memory_.get(); }
  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return {memory_.get(), bytes_}; }

  /// Keeps the first reason. [any]
  void fail(const std::string& reason) noexcept {
    const std::lock_guard lock(mutex_);
    if (phase.load(std::memory_order_relaxed) == Phase::failed) return;
    try {
      failure_ = reason;
    } catch (const std::bad_alloc&) {
      failure_.clear();
    }
    phase.store(Phase::failed, std::memory_order_release);
  }
  [[nodiscard]] std::string failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
  }

  /// Before the thread touches what others will once it is given up; false where it was. It is to leave soon,
  /// and needs no locked operation: whoever gives it up has seen that it is inside, or it sees that. [ring]
  [[nodiscard]] bool enter() noexcept {
    inside_.store(true, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);  // abandon() has the other fence
    if (!abandoned.load(std::memory_order_acquire)) return true;
    leave();
    return false;
  }
  void leave() noexcept { inside_.store(false, std::memory_order_release); }

  /// Gives the thread up: after that it is never inside, and the message in hand stays the same. [setup]
  void abandon() noexcept {
    abandoned.store(true, std::memory_order_release);
    far_fence();
    while (inside_.load(std::memory_order_acquire))
      std::this_thread::sleep_for(std::chrono::microseconds{20});
  }

  /// There is another message in hand; the thread is inside. [ring]
  void open_answer() noexcept {
    answered_.store((head.flags & MessageHead::kRequest) == 0, std::memory_order_relaxed);
  }
  [[nodiscard]] bool is_answered() const noexcept { return answered_.load(std::memory_order_relaxed); }
  /// True where the thread may answer the message in hand: somebody waits for that, and nobody else has.
  /// [ring]
  [[nodiscard]] bool claim_answer() noexcept {
    if (is_answered()) return false;
    if (!enter()) return claim_answer_of_abandoned();
    answered_.store(true, std::memory_order_relaxed);
    leave();
    return true;
  }
  /// The same for everybody, once it was given up. [any]
  [[nodiscard]] bool claim_answer_of_abandoned() noexcept {
    return !answered_.exchange(true, std::memory_order_acq_rel);
  }
  /// It was not answered after all. [ring]
  void unclaim_answer() noexcept { answered_.store(false, std::memory_order_release); }

  std::atomic<Phase> phase{Phase::absent};
  std::atomic<bool> left{false};       ///< the thread touches nothing any more
  std::atomic<bool> abandoned{false};  ///< it was given up: another one has its place
  std::atomic<std::int64_t> busy_since_ns{0};
  MessageHead head{};  ///< of the message in hand
  std::vector<std::byte> payload;
  std::vector<std::byte> reply;  ///< what is written in place

 private:
  struct Free {
    std::size_t alignment;
    void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{alignment}); }
  };

  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> memory_;
  std::atomic<bool> inside_{false};
  std::atomic<bool> answered_{true};  // the message in hand
  mutable std::mutex mutex_;
  std::string failure_;
};

}  // namespace ringwave::ring
