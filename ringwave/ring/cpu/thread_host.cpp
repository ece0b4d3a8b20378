// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/core/thread_name.hpp"
#include "ringwave/ring/cpu/actor.hpp"
#include "ringwave/ring/kernel_host.hpp"
#include "ringwave/ring/parcel_bin.hpp"
#include "ringwave/ring/ring_clock.hpp"

namespace ringwave::ring {
namespace {

/// A kernel as a thread. Every start makes a new actor, so that one whose handler never returns can be left
/// behind with all that it may still touch.
class ThreadHost final : public KernelHost {
 public:
  explicit ThreadHost(HostRequest request) : post_(std::make_shared<Post>(std::move(request))) {}

  ~ThreadHost() override {
    ThreadHost::command(Command::end);
    constexpr std::int64_t kPatience = 1'000'000'000;
    (void)ThreadHost::join(ring_now_ns() + kPatience);
  }

  void connect(std::span<const std::uint16_t> targets) override {
    post_->request.targets.assign(targets.begin(), targets.end());
  }

  void start() override {
    if (states_.empty() || states_.back()->abandoned.load()) {
      states_.push_back(std::make_shared<ActorState>(post_->request));
      state_.store(states_.back().get(), std::memory_order_release);
    }
    states_.back()->begin(post_->request.state);
    post_->command.store(Command::hold, std::memory_order_release);
    thread_ = std::thread([post = post_, state = states_.back()] {
      name_thread("ring kernel");
      Actor(*post, *state).run();
    });
    while (states_.back()->phase.load(std::memory_order_acquire) == Phase::absent) std::this_thread::yield();
  }

  void command(Command command) noexcept override {
    post_->command.store(command, std::memory_order_release);
    post_->doorbell.ring();
  }

  [[nodiscard]] Phase phase() const noexcept override {
    const ActorState* const state = state_.load(std::memory_order_acquire);
    return state != nullptr ? state->phase.load(std::memory_order_acquire) : Phase::absent;
  }

  bool join(std::int64_t deadline_ns) noexcept override {
    if (!thread_.joinable()) return true;
    ActorState& state = *states_.back();
    while (!state.left.load(std::memory_order_acquire)) {
      if (ring_now_ns() > deadline_ns) {
        leave_behind(state);
        thread_.detach();  // it keeps what it touches alive by itself
        return false;
      }
      std::this_thread::sleep_for(std::chrono::microseconds{20});
    }
    thread_.join();
    return true;
  }

  [[nodiscard]] bool takes(const BufferReference& /*reference*/) const noexcept override { return true; }
  Delivery try_send(const MessageHead& head, const void* payload) noexcept override {
    if (!post_->bands[band_of(head.priority)].try_push(head, payload)) return Delivery::full;
    if (post_->request.spec.wait != Wait::spin) post_->doorbell.ring();
    return Delivery::ok;
  }

  bool drop_oldest(std::size_t band) noexcept override { return drop(post_->bands[band], Delivery::dropped); }

  Delivery try_receive(Letter& letter) noexcept override { return post_->outbox.try_receive(letter); }
  Delivery try_receive_dead(Letter& letter) noexcept override { return post_->dead.try_receive(letter); }

  std::uint64_t clear(Delivery why) noexcept override {
    std::uint64_t count = 0;
    for (BandQueue& band : post_->bands)
      while (drop(band, why)) ++count;
    return count;
  }

  [[nodiscard]] std::uint64_t sent() const noexcept override {
    std::uint64_t sum = 0;
    for (const BandQueue& band : post_->bands) sum += band.pushed();
    return sum;
  }
  [[nodiscard]] std::uint64_t depth(std::size_t band) const noexcept override {
    return post_->bands[band].size();
  }
  [[nodiscard]] TelemetryBlock counts() const noexcept override {
    TelemetryBlock counts = copy_of(post_->counts);
    counts.errors += left_behind_.load(std::memory_order_relaxed);
    return counts;
  }
  [[nodiscard]] LatencySummary latency() const noexcept override { return summary_of(post_->latency); }
  [[nodiscard]] std::int64_t busy_since_ns() const noexcept override {
    const ActorState* const state = state_.load(std::memory_order_acquire);
    return state != nullptr ? state->busy_since_ns.load(std::memory_order_acquire) : 0;
  }

  [[nodiscard]] std::string failure() const override {
    const ActorState* const state = state_.load(std::memory_order_acquire);
    return state != nullptr ? state->failure() : std::string{};
  }

  void give_up(const std::string& reason) noexcept override {
    ActorState& state = *states_.back();
    leave_behind(state);
    state.fail(reason);
  }

  void save_state(std::span<std::byte> state) override {
    const ActorState& last = *states_.back();
    // One that has failed is about to leave; but a handler that said so may go on.
    const std::int64_t deadline = ring_deadline_ns(std::chrono::milliseconds{100});
    while (last.phase.load(std::memory_order_acquire) == Phase::failed &&
           !last.left.load(std::memory_order_acquire)) {
      if (ring_now_ns() > deadline)
        throw InvalidState("the state of kernel '" + post_->request.spec.name +
                           "' was asked for while its handler runs, though it has failed; terminate it");
      std::this_thread::sleep_for(std::chrono::microseconds{20});
    }
    std::ranges::copy(last.bytes(), state.data());
  }
  void load_state(std::span<const std::byte> state) override {
    std::ranges::copy(state, states_.back()->bytes().data());
  }

 private:
  /// The thread's successor may begin, and whoever waits for the message in hand learns that it failed.
  void leave_behind(ActorState& state) noexcept {
    if (!state.abandoned.load(std::memory_order_relaxed))
      left_behind_.fetch_add(1, std::memory_order_relaxed);
    state.abandon();
    if (state.claim_answer_of_abandoned()) post_->answer(state.head, Delivery::failed);
  }

  bool drop(BandQueue& band, Delivery why) const noexcept {
    MessageHead head;
    std::array<std::byte, sizeof(BufferReference)> payload;  // all that is needed of one
    if (!band.try_pop(head, payload)) return false;
    let_go(head, payload.data());
    post_->answer(head, why);
    return true;
  }

  std::shared_ptr<Post> post_;
  // One, and another for each thread that was left behind; all stay, because others may look at them.
  std::vector<std::shared_ptr<ActorState>> states_;
  std::atomic<ActorState*> state_{nullptr};
  std::atomic<std::uint64_t> left_behind_{0};  // threads, whose handlers nobody else counts
  std::thread thread_;
};

}  // namespace

std::unique_ptr<KernelHost> make_thread_host(HostRequest request) {
  return std::make_unique<ThreadHost>(std::move(request));
}

}  // namespace ringwave::ring
