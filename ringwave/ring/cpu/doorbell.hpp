// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace ringwave::ring {

/// Lets one thread sleep until another has done something, and never past a deadline.
///
///   sleeper: ticket = bell.listen(); look again; bell.sleep(ticket, deadline);
///   others:  do it; bell.ring();
///
/// Both sides' first step is one locked instruction, so that either the sleeper's look sees what was done or
/// the ringer sees the sleeper.
class Doorbell {
 public:
  /// From here on every ring() ends the next sleep(). [any]
  [[nodiscard]] std::uint32_t listen() noexcept {
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    return rings_.load(std::memory_order_seq_cst);
  }

  /// Sleeps until somebody rings, or ring_now_ns() is past `deadline_ns`. [setup]
  void sleep(std::uint32_t ticket, std::int64_t deadline_ns) noexcept;

  /// The look after listen() found something: there is no need to sleep. [any]
  void leave() noexcept { sleepers_.fetch_sub(1, std::memory_order_relaxed); }

  /// Wakes the sleeper; a system call only where there is one. [any]
  void ring() noexcept {
    rings_.fetch_add(1, std::memory_order_seq_cst);
    if (sleepers_.load(std::memory_order_seq_cst) != 0) wake();
  }

 private:
  void wake() noexcept;

  std::atomic<std::uint32_t> rings_{0};
  std::atomic<std::uint32_t> sleepers_{0};
};

}  // namespace ringwave::ring
