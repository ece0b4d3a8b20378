// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <vector>

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
    answered.store(true);
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

  /// True for the one who may answer the message in hand. [any]
  [[nodiscard]] bool claim_answer() noexcept { return !answered.exchange(true, std::memory_order_acq_rel); }

  std::atomic<Phase> phase{Phase::absent};
  std::atomic<bool> left{false};       ///< the thread touches nothing any more
  std::atomic<bool> abandoned{false};  ///< it was given up: another one has its place
  std::atomic<bool> answered{true};
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
  mutable std::mutex mutex_;
  std::string failure_;
};

}  // namespace ringwave::ring
