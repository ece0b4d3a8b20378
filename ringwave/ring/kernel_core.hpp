// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ringwave/ring/kernel_host.hpp"

namespace ringwave::ring {

/// What a Kernel is a handle of: its lifecycle, its policies and what the host counts of it. A host below it
/// moves the messages; when that one's device is lost, another one, on the CPU, takes its place.
class KernelCore {
 public:
  KernelCore(HostRequest request, std::string device, std::unique_ptr<KernelHost> host);

  void connect(const KernelCore& target);
  void launch();
  void activate(std::chrono::nanoseconds timeout);
  void pause(std::chrono::nanoseconds timeout);
  bool terminate(std::chrono::nanoseconds timeout) noexcept;

  Delivery send(const MessageHead& head, const void* payload, std::int64_t deadline_ns) noexcept;
  Delivery request(MessageHead head, const void* payload, Letter& reply, std::int64_t deadline_ns) noexcept;
  Delivery begin(MessageHead& head, const void* payload, std::int64_t deadline_ns) noexcept;
  Delivery finish(std::uint64_t correlation, Letter& reply) noexcept;
  void forget(std::uint64_t correlation) noexcept { request_.desk->abandon(correlation); }
  Delivery receive(Letter& letter, std::int64_t deadline_ns) noexcept;
  Delivery receive_dead(Letter& letter) noexcept;

  /// Instead of a deadline: who comes again by himself. Where others would wait for room he is told `full`,
  /// and not counted.
  static constexpr std::int64_t kComesAgain = -1;
  /// True where senders wait for room. [any]
  [[nodiscard]] bool has_senders_wait() const noexcept {
    return request_.spec.backpressure == Backpressure::block;
  }
  /// Takes a message for a kernel on another device, as KernelHost does. [any]
  bool try_take_far(std::size_t band, Letter& letter) noexcept;
  /// Such a message did not come into the inbox that it was for. [any]
  void count_undelivered() noexcept { undelivered_.fetch_add(1, std::memory_order_relaxed); }

  [[nodiscard]] std::vector<std::byte> checkpoint() const;
  void restore(std::span<const std::byte> checkpoint);

  [[nodiscard]] State state() const noexcept { return state_.load(std::memory_order_acquire); }
  [[nodiscard]] Telemetry telemetry() const;
  [[nodiscard]] TelemetryBlock counts() const noexcept;
  [[nodiscard]] std::string failure() const;
  [[nodiscard]] const KernelSpec& spec() const noexcept { return request_.spec; }
  [[nodiscard]] const std::string& device() const noexcept { return left_host() != nullptr ? cpu_ : device_; }
  [[nodiscard]] std::uint16_t number() const noexcept { return request_.number; }
  /// Where it was made to live. [any]
  [[nodiscard]] Whereabouts::Place place() const noexcept { return request_.place; }

  /// The supervisor's look: finds a failure, a handler that does not return, and restarts by policy. [setup]
  void supervise();
  /// The telemetry without a wait: none while somebody holds the lifecycle. [any]
  [[nodiscard]] std::optional<Telemetry> try_telemetry() const;

 private:
  [[nodiscard]] KernelHost& host() const noexcept { return *host_.load(std::memory_order_acquire); }
  /// The host whose device was lost; null where none was. [any]
  [[nodiscard]] KernelHost* left_host() const noexcept {
    return &host() != first_host_.get() ? first_host_.get() : nullptr;
  }
  [[nodiscard]] bool moves_to_cpu() const noexcept {
    return request_.spec.fails_over && host().device_lost();
  }
  void move_to_cpu();
  void show_at(Whereabouts::Place place) noexcept;
  [[nodiscard]] Delivery why_not_running() const noexcept;
  Delivery deliver(const MessageHead& head, const void* payload, std::int64_t deadline_ns) noexcept;
  Delivery look(std::uint64_t correlation, Letter& reply) noexcept;
  Delivery send_when_full(const MessageHead& head, const void* payload, std::int64_t deadline_ns) noexcept;
  void clear(Delivery why) noexcept;
  void sweep() noexcept;
  void require_own_process() const;
  void go(State to);
  void steer(Command command, Phase phase, std::chrono::nanoseconds timeout, const char* what);
  [[nodiscard]] Telemetry told() const;  // with the lifecycle held
  void look_after();
  void require_at_rest(const char* what) const;
  void fail(const std::string& reason, bool restarts);
  void start();
  void restart();
  [[nodiscard]] bool may_restart();

  HostRequest request_;
  const std::string device_;
  const std::string cpu_ = "cpu";
  // Both stay as long as this does: a sender may look at the one that was left.
  const std::unique_ptr<KernelHost> first_host_;
  std::unique_ptr<KernelHost> cpu_host_;
  std::atomic<KernelHost*> host_;
  const std::uint32_t generation_;
  std::atomic<State> state_{State::created};
  std::atomic<bool> restarting_{false};
  mutable std::mutex mutex_;       // of the lifecycle
  std::atomic<bool> ends_{false};  // whoever holds the lifecycle is to hurry
  State before_failure_ = State::launched;
  std::string failure_;
  std::deque<std::int64_t> restarts_ns_;
  std::int64_t launched_ns_ = 0;
  std::uint64_t busy_before_ns_ = 0;  // the launch
  std::atomic<std::uint64_t> rejected_{0};
  std::atomic<std::uint64_t> dropped_newest_{0};
  std::atomic<std::uint64_t> dropped_oldest_{0};
  std::atomic<std::uint64_t> dropped_at_end_{0};
  std::atomic<std::uint64_t> undelivered_{0};
  std::atomic<std::uint64_t> restarts_{0};
  mutable std::array<std::atomic<std::uint64_t>, kBands> peak_{};
};

}  // namespace ringwave::ring
