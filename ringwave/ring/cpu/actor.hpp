// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/context.hpp"
#include "ringwave/ring/context_port.hpp"
#include "ringwave/ring/cpu/actor_state.hpp"
#include "ringwave/ring/cpu/post.hpp"
#include "ringwave/ring/duplicate_window.hpp"

namespace ringwave::ring {

/// The loop of a kernel on the CPU: takes the highest message, handles it, sees to its answer.
class Actor final : public ContextPort {
 public:
  Actor(Post& post, ActorState& state)
      : post_(post), state_(state), window_(post.request.spec.duplicate_window) {}

  /// Until the kernel is told to end, fails or is given up. [ring]
  void run() noexcept;

  Delivery reply(const void* bytes, std::size_t size, std::uint32_t type) noexcept override;
  [[nodiscard]] std::byte* reply_space(std::size_t size) noexcept override;
  Delivery send_reply() noexcept override;
  Delivery emit(std::uint32_t type, const void* bytes, std::size_t size) noexcept override;
  Delivery send(std::uint16_t target, std::uint32_t type, const void* bytes, std::size_t size,
                std::uint8_t priority, bool with_request) noexcept override;
  [[nodiscard]] int targets() const noexcept override;
  [[nodiscard]] std::uint16_t target(int index) const noexcept override;
  void fail(std::uint32_t code) noexcept override;
  void refuse() noexcept override { refused_ = true; }
  [[nodiscard]] bool stopping() const noexcept override;
  [[nodiscard]] std::uint8_t priority() const noexcept override { return state_.head.priority; }
  [[nodiscard]] bool* overrun() noexcept override { return &overrun_; }

 private:
  [[nodiscard]] bool take() noexcept;
  void wait() noexcept;
  void rest(Command acted_on) noexcept;
  void handle() noexcept;
  void call_handler() noexcept;
  [[nodiscard]] Message message() noexcept;
  void finish(std::int64_t begin_ns) noexcept;
  void count_latency(std::int64_t now_ns) noexcept;
  void bury() noexcept;
  void conclude(Delivery delivery) noexcept;
  Delivery put(SlotRing& ring, std::uint64_t& tail, const MessageHead& head, const void* bytes) noexcept;
  Delivery bring(std::uint16_t target, const MessageHead& head, const void* bytes) noexcept;
  [[nodiscard]] MessageHead head_for(std::uint32_t type, std::size_t size) const noexcept;

  Post& post_;
  ActorState& state_;
  DuplicateWindow window_;
  bool failed_ = false;
  bool refused_ = false;
  bool overrun_ = false;
  MessageHead referring_{};  // of a message by reference, as the handler sees it
  std::uint32_t reply_bytes_ = 0;
  std::int64_t idle_since_ns_ = 0;
  unsigned idle_looks_ = 0;
};

}  // namespace ringwave::ring
