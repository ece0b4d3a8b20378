// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ringwave/core/realtime.hpp"
#include "ringwave/ring/delivery.hpp"
#include "ringwave/ring/letter.hpp"
#include "ringwave/ring/lifecycle.hpp"
#include "ringwave/ring/outgoing.hpp"
#include "ringwave/ring/telemetry.hpp"

namespace ringwave::ring {

class KernelCore;

/// A ring kernel: resident code that handles one message after another. A small handle: copies are the same
/// kernel. Thread-safe.
///
/// Nothing here waits without a limit. What waits for a message returns a Delivery; what changes the
/// lifecycle throws InvalidState, which says what the kernel was to do and what it is, or TimedOut.
class Kernel {
 public:
  using Duration = std::chrono::nanoseconds;
  static constexpr Duration kPatience = std::chrono::seconds{1};

  /// Makes it resident; it handles nothing yet. After a failure, again with its first state; what waits in
  /// the inbox stays. Throws what the device answers. [setup]
  void launch() const;
  /// It handles messages; a kernel that fails at its first one is `failed` when this returns. [setup]
  void activate(Duration timeout = kPatience) const;
  /// Returns when the message in hand is done. Messages go on queueing. [setup]
  void pause(Duration timeout = kPatience) const;
  void resume(Duration timeout = kPatience) const { activate(timeout); }
  /// Ends it after the message in hand, from any state; what still waits is dropped, and whoever waits for it
  /// learns that. False where the handler did not return in time: it is left behind. [setup]
  bool terminate(Duration timeout = kPatience) const noexcept;

  /// This kernel may send() to another of the same runtime: its targets are in the order of these calls.
  /// Before launch(). Throws InvalidArgument for a kernel of another runtime, and InvalidState for one that
  /// is terminated. [setup]
  void connect(const Kernel& target) const;

  /// Sends by the kernel's policy; with `block` it waits for room until `timeout` is over. [any]
  Delivery send(const Outgoing& message, Duration timeout = kPatience) const noexcept;
  /// Never waits: `full` where others would; but to drop the oldest message takes a GPU some microseconds, a
  /// millisecond at most. [audio], where the kernel's wait is `spin` or it is on a GPU
  RW_REALTIME Delivery try_send(const Outgoing& message) const noexcept;
  /// Sends one after the other, and stops at the first that is not `ok`. Returns how many were. [any]
  std::size_t send_batch(std::span<const Outgoing> messages, Duration timeout = kPatience) const noexcept;

  /// Sends, and waits for the reply, which comes into `reply`. The message's deadline is the end of
  /// `timeout`. [any]
  Delivery request(const Outgoing& message, Letter& reply, Duration timeout = kPatience) const noexcept;

  /// The two halves of request(): the correlation id is 0 where the message was not sent, with the reason in
  /// `delivery`. Every id is finished or forgotten. [any]
  [[nodiscard]] std::uint64_t begin_request(const Outgoing& message, Delivery& delivery,
                                            Duration timeout = kPatience) const noexcept;
  /// `empty` while there is no reply, and for an id that is finished or forgotten. [audio], where `reply` has
  /// been used before
  RW_REALTIME Delivery finish_request(std::uint64_t correlation, Letter& reply) const noexcept;
  void forget_request(std::uint64_t correlation) const noexcept;

  /// What the kernel emitted, in order. [any]
  Delivery receive(Letter& letter, Duration timeout = kPatience) const noexcept;
  RW_REALTIME Delivery try_receive(Letter& letter) const noexcept;
  /// The oldest message that expired, without what it referred to; `empty` where there is none. [any]
  Delivery receive_dead(Letter& letter) const noexcept;

  /// The handler's state, of a kernel that is launched, paused or failed, and back into one that is launched
  /// or paused. Throws InvalidState, also where the handler of a failed kernel still runs, and
  /// InvalidArgument for bytes that are no checkpoint of this handler. [setup]
  [[nodiscard]] std::vector<std::byte> checkpoint() const;
  void restore(std::span<const std::byte> checkpoint) const;

  [[nodiscard]] State state() const noexcept;
  [[nodiscard]] Telemetry telemetry() const;
  /// What the kernel counts of itself, without a call of the device's driver. [audio]
  RW_REALTIME [[nodiscard]] TelemetryBlock counts() const noexcept;
  /// Why it failed last; empty where it never did. [setup]
  [[nodiscard]] std::string failure() const;
  [[nodiscard]] const std::string& name() const noexcept;
  /// Where it runs: "cpu", "cuda:0"; "cpu", too, since its GPU was lost. [any]
  [[nodiscard]] const std::string& device() const noexcept;
  /// What Context::send() knows it by. [any]
  [[nodiscard]] std::uint16_t number() const noexcept;

 private:
  friend class Runtime;
  explicit Kernel(std::shared_ptr<KernelCore> core) : core_(std::move(core)) {}

  std::shared_ptr<KernelCore> core_;
};

}  // namespace ringwave::ring
