// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "ringwave/ring/kernel_host.hpp"
#include "ringwave/ring/verdict.hpp"

namespace ringwave::ring {

/// A host that does as a test says: nothing runs, messages stay where they are.
class FakeHost final : public KernelHost {
 public:
  /// Becomes `failed` with a reason, as a device does. [any]
  void break_down(const std::string& reason) {
    failure_ = reason;
    phase_ = Phase::failed;
  }

  /// Its device is gone for good. [any]
  void lose_device() {
    is_lost = true;
    break_down("the device failed");
  }

  std::function<void()> on_start = [] {};  ///< may throw
  std::function<void()> on_send = [] {};   ///< before the message is there
  std::function<void()> on_give_up = [] {};
  std::deque<MessageHead> said{};  ///< for the host to receive
  std::deque<MessageHead> far{};   ///< for kernels elsewhere
  TelemetryBlock counted{};
  MessageHead last{};  ///< of the messages that came
  std::int64_t busy_since = 0;
  std::atomic<int> starts{0};
  std::atomic<bool> is_lost{false};
  std::atomic<bool> is_full{false};

  void connect(std::span<const std::uint16_t> /*targets*/) override {}
  void start() override {
    on_start();
    ++starts;
    phase_ = Phase::holding;
  }
  void command(Command command) noexcept override {
    phase_ = command == Command::run    ? Phase::running
             : command == Command::hold ? Phase::holding
                                        : Phase::ended;
  }
  [[nodiscard]] Phase phase() const noexcept override { return phase_; }
  [[nodiscard]] bool device_lost() const noexcept override { return is_lost; }
  bool join(std::int64_t /*deadline_ns*/) noexcept override { return true; }

  Delivery try_send(const MessageHead& head, const void* /*payload*/) noexcept override {
    on_send();
    if (is_full) return Delivery::full;
    const std::lock_guard lock(mutex_);
    messages_.push_back(head);
    last = head;
    ++sent_;
    return Delivery::ok;
  }
  bool drop_oldest(std::size_t /*band*/) noexcept override { return false; }
  Delivery try_receive(Letter& letter) noexcept override {
    if (said.empty()) return Delivery::empty;
    letter.head = said.front();
    said.pop_front();
    return Delivery::ok;
  }
  Delivery try_receive_dead(Letter& /*letter*/) noexcept override { return Delivery::empty; }
  bool try_take_far(std::size_t band, Letter& letter) noexcept override {
    const auto next =
        std::ranges::find(far, band, [](const MessageHead& head) { return band_of(head.priority); });
    if (next == far.end()) return false;
    letter.head = *next;
    far.erase(next);
    return true;
  }
  std::uint64_t clear(Delivery why) noexcept override {
    const std::lock_guard lock(mutex_);
    for (const MessageHead& head : messages_) tell_verdict(*desk_, head, why);
    const std::uint64_t count = messages_.size();
    messages_.clear();
    return count;
  }

  [[nodiscard]] std::uint64_t sent() const noexcept override { return sent_; }
  [[nodiscard]] std::uint64_t depth(std::size_t /*band*/) const noexcept override { return 0; }
  [[nodiscard]] TelemetryBlock counts() const noexcept override { return counted; }
  [[nodiscard]] LatencySummary latency() const noexcept override { return {}; }
  [[nodiscard]] std::int64_t busy_since_ns() const noexcept override { return busy_since; }
  [[nodiscard]] std::string failure() const override { return failure_; }
  void give_up(const std::string& reason) noexcept override {
    on_give_up();
    break_down(reason);
  }
  void save_state(std::span<std::byte> /*state*/) override {}
  void load_state(std::span<const std::byte> /*state*/) override {}

  explicit FakeHost(std::shared_ptr<ReplyDesk> desk) : desk_(std::move(desk)) {}

 private:
  std::shared_ptr<ReplyDesk> desk_;
  std::atomic<Phase> phase_{Phase::absent};
  std::string failure_;
  std::mutex mutex_;
  std::deque<MessageHead> messages_;
  std::atomic<std::uint64_t> sent_{0};
};

}  // namespace ringwave::ring
