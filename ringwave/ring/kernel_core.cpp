// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/kernel_core.hpp"

#include <algorithm>

#include "ringwave/ring/checkpoint.hpp"
#include "ringwave/ring/fork_watch.hpp"
#include "ringwave/ring/kernel_table.hpp"
#include "ringwave/ring/patience.hpp"

namespace ringwave::ring {

KernelCore::KernelCore(HostRequest request, std::string device, std::unique_ptr<KernelHost> host)
    : request_(std::move(request)),
      device_(std::move(device)),
      host_(std::move(host)),
      generation_(fork_generation()) {}

void KernelCore::go(State to) {
  require_legal(request_.spec.name, state(), to);
  state_.store(to, std::memory_order_release);
}

void KernelCore::require_own_process() const {
  // A thread of the parent may have held the mutex; in the child nobody gives it back.
  if (fork_generation() != generation_)
    throw InvalidState(
        "kernel '" + request_.spec.name +
        "' was used in a forked process, where its threads are not; make a Runtime in the child");
}

void KernelCore::connect(std::uint16_t target) {
  require_own_process();
  const std::lock_guard lock(mutex_);
  if (state() != State::created)
    throw InvalidState("kernel '" + request_.spec.name + "' was to be connected while it is " +
                       std::string(to_string(state())) + "; connect kernels before they are launched");
  request_.targets.push_back(target);
  host_->connect(request_.targets);
}

void KernelCore::launch() {
  require_own_process();
  const std::lock_guard lock(mutex_);
  require_legal(request_.spec.name, state(), State::launched);
  if (state() == State::failed) (void)host_->join(ring_deadline_ns(std::chrono::seconds{1}));
  host_->start();
  launched_ns_ = ring_now_ns();
  go(State::launched);
}

/// Gives a command and waits until the kernel does as it says. The lifecycle is ours meanwhile, and so is the
/// supervisor's work: the kernel may fail, and be started again.
void KernelCore::steer(Command command, Phase phase, std::chrono::nanoseconds timeout, const char* what) {
  constexpr std::int64_t kLookNs = 1'000'000;
  host_->command(command);
  Patience patience(ring_deadline_ns(timeout));
  std::int64_t next_look = ring_now_ns() + kLookNs;
  while (host_->phase() != phase) {
    if (ring_now_ns() > next_look) {
      const std::uint64_t restarts = restarts_.load(std::memory_order_relaxed);
      look_after();
      if (state() == State::failed) return;
      if (restarts_.load(std::memory_order_relaxed) != restarts) host_->command(command);
      next_look = ring_now_ns() + kLookNs;
    }
    if (!patience.wait())
      throw TimedOut("kernel '" + request_.spec.name + "' did not " + what + " within " +
                     std::to_string(timeout.count() / 1'000'000) +
                     " ms; its handler still runs, or its device is busy: give it more time or terminate it");
  }
}

void KernelCore::activate(std::chrono::nanoseconds timeout) {
  require_own_process();
  const std::lock_guard lock(mutex_);
  require_legal(request_.spec.name, state(), State::active);
  steer(Command::run, Phase::running, timeout, "begin");
  if (state() != State::failed) go(State::active);  // it may have failed at its first message
}

void KernelCore::pause(std::chrono::nanoseconds timeout) {
  require_own_process();
  const std::lock_guard lock(mutex_);
  require_legal(request_.spec.name, state(), State::paused);
  steer(Command::hold, Phase::holding, timeout, "pause");
  go(State::paused);  // of one that failed meanwhile this says so
}

bool KernelCore::terminate(std::chrono::nanoseconds timeout) noexcept {
  if (fork_generation() != generation_) return true;  // it is the parent's
  const std::lock_guard lock(mutex_);
  const State before = state();
  if (before == State::terminated) return true;
  state_.store(State::terminating, std::memory_order_release);
  bool left = true;
  if (before != State::created) {
    host_->command(Command::end);
    left = host_->join(ring_deadline_ns(timeout));
    if (!left) {
      host_->give_up("the handler had not returned when the kernel was terminated");
      failure_ = host_->failure();
    }
    dropped_at_end_ += host_->clear(Delivery::not_running);
  }
  state_.store(State::terminated, std::memory_order_release);
  return left;
}

Delivery KernelCore::why_not_running() const noexcept {
  if (fork_generation() != generation_) return Delivery::forked;
  switch (state()) {
    case State::launched:
    case State::active:
    case State::paused:
      return Delivery::ok;
    case State::failed:
      return restarting_.load(std::memory_order_acquire) ? Delivery::ok : Delivery::failed;
    default:
      return Delivery::not_running;
  }
}

Delivery KernelCore::send(MessageHead head, const void* payload, std::int64_t deadline_ns) noexcept {
  if (const Delivery delivery = why_not_running(); delivery != Delivery::ok) return delivery;
  if (head.bytes > request_.spec.max_payload_bytes) return Delivery::too_large;
  head.sent_ns = ring_now_ns();
  Delivery delivery = host_->try_send(head, payload);
  if (delivery == Delivery::full) delivery = send_when_full(head, payload, deadline_ns);
  if (delivery != Delivery::ok) return delivery;
  if (why_not_running() != Delivery::ok) sweep();  // it ended meanwhile
  return Delivery::ok;
}

/// A message that came into the inbox after it was cleared is answered as the others were.
void KernelCore::sweep() noexcept {
  const std::lock_guard lock(mutex_);
  if (state() == State::terminated) dropped_at_end_ += host_->clear(Delivery::not_running);
  if (state() == State::failed) dropped_at_end_ += host_->clear(Delivery::failed);
}

Delivery KernelCore::send_when_full(const MessageHead& head, const void* payload,
                                    std::int64_t deadline_ns) noexcept {
  const std::size_t band = band_of(head.priority);
  peak_[band].store(request_.spec.inbox_capacity, std::memory_order_relaxed);
  const Backpressure policy = request_.spec.backpressure;
  if (policy == Backpressure::drop_newest) {
    dropped_newest_.fetch_add(1, std::memory_order_relaxed);
    return Delivery::dropped;
  }
  if (policy == Backpressure::reject || deadline_ns == 0) {
    // Dropping the oldest takes no wait on the CPU; a device may need a moment for it.
    if (policy != Backpressure::drop_oldest) {
      rejected_.fetch_add(1, std::memory_order_relaxed);
      return Delivery::full;
    }
  }
  Patience patience(deadline_ns != 0 ? deadline_ns : ring_deadline_ns(std::chrono::milliseconds{1}));
  for (;;) {
    if (policy == Backpressure::drop_oldest && host_->drop_oldest(band))
      dropped_oldest_.fetch_add(1, std::memory_order_relaxed);
    const Delivery delivery = host_->try_send(head, payload);
    if (delivery != Delivery::full) return delivery;
    if (const Delivery why = why_not_running(); why != Delivery::ok) return why;
    if (!patience.wait()) {
      rejected_.fetch_add(1, std::memory_order_relaxed);
      return policy == Backpressure::drop_oldest ? Delivery::full : Delivery::timed_out;
    }
  }
}

Delivery KernelCore::begin(MessageHead& head, const void* payload, std::int64_t deadline_ns) noexcept {
  head.correlation = request_.desk->open();
  if (head.correlation == 0) return Delivery::full;
  head.flags |= MessageHead::kRequest;
  head.deadline_ns = deadline_ns;
  const Delivery delivery = send(head, payload, deadline_ns);
  if (delivery != Delivery::ok) request_.desk->close(head.correlation);
  return delivery;
}

Delivery KernelCore::finish(std::uint64_t correlation, Letter& reply) noexcept {
  if (!request_.desk->look(correlation, reply)) return Delivery::empty;
  request_.desk->close(correlation);
  if ((reply.head.flags & MessageHead::kVerdict) != 0) return static_cast<Delivery>(reply.head.type);
  return Delivery::ok;
}

Delivery KernelCore::request(MessageHead head, const void* payload, Letter& reply,
                             std::int64_t deadline_ns) noexcept {
  reply.reserve(request_.desk->max_payload_bytes());
  if (const Delivery delivery = begin(head, payload, deadline_ns); delivery != Delivery::ok) return delivery;
  Patience patience(deadline_ns);
  for (;;) {
    const Delivery delivery = finish(head.correlation, reply);
    if (delivery != Delivery::empty) return delivery;
    if (!patience.wait()) {
      forget(head.correlation);
      return Delivery::timed_out;
    }
  }
}

Delivery KernelCore::receive(Letter& letter, std::int64_t deadline_ns) noexcept {
  letter.reserve(request_.spec.max_payload_bytes);
  Patience patience(deadline_ns);
  for (;;) {
    if (host_->try_receive(letter) == Delivery::ok) return Delivery::ok;
    if (deadline_ns == 0) return Delivery::empty;
    if (const Delivery why = why_not_running(); why != Delivery::ok) return why;
    if (!patience.wait()) return Delivery::timed_out;
  }
}

Delivery KernelCore::receive_dead(Letter& letter) noexcept {
  letter.reserve(request_.spec.max_payload_bytes);
  return host_->try_receive_dead(letter);
}

void KernelCore::require_at_rest(const char* what) const {
  if (state() == State::launched || state() == State::paused || state() == State::failed) return;
  throw InvalidState(std::string("a ") + what + " of kernel '" + request_.spec.name +
                     "' was asked for while it is " + std::string(to_string(state())) + "; pause it first");
}

std::vector<std::byte> KernelCore::checkpoint() const {
  require_own_process();
  const std::lock_guard lock(mutex_);
  require_at_rest("checkpoint");
  std::vector<std::byte> state(request_.handler.state_bytes);
  host_->save_state(state);
  return write_checkpoint(request_.handler.name, state);
}

void KernelCore::restore(std::span<const std::byte> checkpoint) {
  require_own_process();
  const std::lock_guard lock(mutex_);
  if (state() == State::failed)
    throw InvalidState("kernel '" + request_.spec.name +
                       "' has failed; launch it before it gets a state back");
  require_at_rest("restore");
  host_->load_state(read_checkpoint(checkpoint, request_.handler.name, request_.handler.state_bytes));
}

std::string KernelCore::failure() const {
  require_own_process();
  const std::lock_guard lock(mutex_);
  return failure_;
}

Telemetry KernelCore::telemetry() const {
  require_own_process();
  const std::lock_guard lock(mutex_);
  return told();
}

std::optional<Telemetry> KernelCore::try_telemetry() const {
  require_own_process();
  const std::unique_lock lock(mutex_, std::try_to_lock);
  return lock.owns_lock() ? std::optional(told()) : std::nullopt;
}

Telemetry KernelCore::told() const {
  Telemetry t{.kernel = request_.spec.name,
              .handler = request_.handler.name,
              .device = device_,
              .state = state(),
              .counts = host_->counts(),
              .sent = host_->sent(),
              .rejected = rejected_.load(),
              .dropped_newest = dropped_newest_.load(),
              .dropped_oldest = dropped_oldest_.load(),
              .dropped_at_end = dropped_at_end_.load(),
              .restarts = restarts_.load(),
              .latency = host_->latency()};
  for (std::size_t band = 0; band < kBands; ++band) {
    t.depth[band] = host_->depth(band);
    std::uint64_t peak = peak_[band].load();
    while (t.depth[band] > peak && !peak_[band].compare_exchange_weak(peak, t.depth[band])) {
    }
    t.peak[band] = std::max(peak, t.depth[band]);
  }
  t.last_error = failure_;
  if (launched_ns_ != 0) {
    t.uptime_s = static_cast<double>(ring_now_ns() - launched_ns_) * 1e-9;
    t.busy_ratio = static_cast<double>(t.counts.busy_ns) * 1e-9 / std::max(t.uptime_s, 1e-9);
  }
  return t;
}

bool KernelCore::may_restart() {
  const std::int64_t now = ring_now_ns();
  const std::int64_t window = std::chrono::nanoseconds{request_.spec.restart.window}.count();
  while (!restarts_ns_.empty() && now - restarts_ns_.front() > window) restarts_ns_.pop_front();
  if (restarts_ns_.size() >= static_cast<std::size_t>(request_.spec.restart.most_restarts)) return false;
  restarts_ns_.push_back(now);
  return true;
}

void KernelCore::fail(const std::string& reason) {
  before_failure_ = state();
  failure_ = reason;
  restarting_.store(may_restart(), std::memory_order_release);
  state_.store(State::failed, std::memory_order_release);
  if (!restarting_.load(std::memory_order_relaxed)) {
    dropped_at_end_ += host_->clear(Delivery::failed);
    return;
  }
  (void)host_->join(ring_deadline_ns(std::chrono::milliseconds{100}));
  host_->start();
  launched_ns_ = ring_now_ns();
  restarts_.fetch_add(1, std::memory_order_relaxed);
  if (before_failure_ == State::active) host_->command(Command::run);
  state_.store(before_failure_, std::memory_order_release);
  restarting_.store(false, std::memory_order_release);
}

void KernelCore::supervise() {
  const std::unique_lock lock(mutex_, std::try_to_lock);  // whoever holds it looks after the kernel
  if (lock.owns_lock() && why_not_running() == Delivery::ok) look_after();
}

/// Finds a failure, and a handler that does not return.
void KernelCore::look_after() {
  host_->examine();
  if (host_->phase() == Phase::failed) return fail(host_->failure());
  const auto limit = std::chrono::nanoseconds{request_.spec.handler_limit}.count();
  const std::int64_t since = host_->busy_since_ns();
  if (limit == 0 || since == 0 || ring_now_ns() - since < limit) return;
  host_->give_up(
      "the handler had not returned after " + std::to_string(request_.spec.handler_limit.count()) +
      " ms, the limit of this kernel; split its work into several messages or raise handler_limit");
  fail(host_->failure());
}

Delivery KernelTable::send(std::uint16_t target, const MessageHead& head, const void* payload,
                           std::int64_t deadline_ns) const noexcept {
  KernelCore* const kernel = find(target);
  if (kernel == nullptr) return Delivery::unknown_target;
  const Delivery delivery = kernel->send(head, payload, deadline_ns);
  return delivery == Delivery::not_running ? Delivery::unknown_target : delivery;
}

}  // namespace ringwave::ring
