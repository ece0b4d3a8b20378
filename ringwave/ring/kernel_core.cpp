// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/kernel_core.hpp"

#include <algorithm>
#include <exception>

#include "ringwave/ring/buffer_reference.hpp"
#include "ringwave/ring/checkpoint.hpp"
#include "ringwave/ring/fork_watch.hpp"
#include "ringwave/ring/parcel_bin.hpp"
#include "ringwave/ring/patience.hpp"
#include "ringwave/ring/verdict.hpp"

namespace ringwave::ring {
namespace {

TelemetryBlock sum_of(const TelemetryBlock& a, const TelemetryBlock& b) noexcept {
  return {a.processed + b.processed, a.expired + b.expired,         a.duplicates + b.duplicates,
          a.dropped + b.dropped,     a.errors + b.errors,           a.polls + b.polls,
          a.busy_ns + b.busy_ns,     std::max(a.last_ns, b.last_ns)};
}

}  // namespace

KernelCore::KernelCore(HostRequest request, std::string device, std::unique_ptr<KernelHost> host)
    : request_(std::move(request)),
      device_(std::move(device)),
      first_host_(std::move(host)),
      host_(first_host_.get()),
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

void KernelCore::connect(const KernelCore& target) {
  require_own_process();
  const std::string what =
      "kernel '" + request_.spec.name + "' was to send to '" + target.spec().name + "', ";
  if (target.request_.table != request_.table)
    throw InvalidArgument(what + "which is a kernel of another Runtime; create both in one");
  if (target.state() == State::terminated)
    throw InvalidState(what + "which is terminated; create it again, and connect to that one");
  const std::lock_guard lock(mutex_);
  if (state() != State::created)
    throw InvalidState("kernel '" + request_.spec.name + "' was to be connected while it is " +
                       std::string(to_string(state())) + "; connect kernels before they are launched");
  request_.targets.push_back(target.number());
  host().connect(request_.targets);
}

void KernelCore::launch() {
  require_own_process();
  const std::lock_guard lock(mutex_);
  require_legal(request_.spec.name, state(), State::launched);
  if (state() == State::failed) (void)host().join(ring_deadline_ns(std::chrono::seconds{1}));
  start();
  go(State::launched);
  show_at(left_host() == nullptr ? request_.place : Whereabouts::kCpu);
}

/// To kernels on GPUs; from there on messages may come.
void KernelCore::show_at(Whereabouts::Place place) noexcept {
  if (request_.whereabouts != nullptr) request_.whereabouts->set(request_.number, place);
}

/// Throws what the device answers, unless the kernel may go on without it.
void KernelCore::start() {
  if (moves_to_cpu()) move_to_cpu();
  try {
    host().start();
  } catch (const Error&) {
    if (!moves_to_cpu()) throw;
    move_to_cpu();
    host().start();
  }
  launched_ns_ = ring_now_ns();
  busy_before_ns_ = counts().busy_ns;
}

/// The kernel keeps its number, its targets and its policies; its state is the first. What waits is on the
/// device that is lost, and is answered.
void KernelCore::move_to_cpu() {
  cpu_host_ = make_thread_host(request_);
  host_.store(cpu_host_.get(), std::memory_order_release);
  if (state() != State::created) show_at(Whereabouts::kCpu);
  dropped_at_end_ += first_host_->clear(Delivery::failed);
}

/// Gives a command and waits until the kernel does as it says. The lifecycle is ours meanwhile, and so is the
/// supervisor's work: the kernel may fail, and be started again.
void KernelCore::steer(Command command, Phase phase, std::chrono::nanoseconds timeout, const char* what) {
  constexpr std::int64_t kLookNs = 1'000'000;
  host().command(command);
  Patience patience(ring_deadline_ns(timeout));
  std::int64_t next_look = ring_now_ns() + kLookNs;
  while (host().phase() != phase) {
    if (ends_.load(std::memory_order_acquire))
      throw InvalidState("kernel '" + request_.spec.name + "' was to " + what + " while it was " +
                         std::string(to_string(state())) + ", and is being terminated instead");
    if (ring_now_ns() > next_look) {
      const std::uint64_t restarts = restarts_.load(std::memory_order_relaxed);
      look_after();
      if (state() == State::failed) return;
      if (restarts_.load(std::memory_order_relaxed) != restarts) host().command(command);
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
  ends_.store(true, std::memory_order_release);
  const std::lock_guard lock(mutex_);
  const State before = state();
  if (before == State::terminated) return true;
  state_.store(State::terminating, std::memory_order_release);
  show_at(Whereabouts::kNowhere);
  bool left = true;
  if (before != State::created) {
    host().command(Command::end);
    left = host().join(ring_deadline_ns(timeout));
    if (!left) {
      host().give_up("the handler had not returned when the kernel was terminated");
      failure_ = host().failure();
    }
    clear(Delivery::not_running);
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

Delivery KernelCore::send(const MessageHead& head, const void* payload, std::int64_t deadline_ns) noexcept {
  if (!is_by_reference(head)) return deliver(head, payload, deadline_ns);
  const BufferReference reference = reference_in(payload);
  if (reference.block == nullptr || !host().takes(reference)) {
    MessageHead whole = head;
    whole.flags &= static_cast<std::uint8_t>(~MessageHead::kByReference);
    whole.bytes = static_cast<std::uint32_t>(reference.bytes);
    return deliver(whole, reference.data, deadline_ns);
  }
  reference.block->hold(ParcelBlock::kMessage);
  const Delivery delivery = deliver(head, payload, deadline_ns);
  if (delivery != Delivery::ok) reference.block->release(ParcelBlock::kMessage);
  return delivery;
}

Delivery KernelCore::deliver(const MessageHead& head, const void* payload,
                             std::int64_t deadline_ns) noexcept {
  if (const Delivery delivery = why_not_running(); delivery != Delivery::ok) return delivery;
  if (head.bytes > request_.spec.max_payload_bytes) return Delivery::too_large;
  Delivery delivery = host().try_send(head, payload);
  if (delivery == Delivery::full) delivery = send_when_full(head, payload, deadline_ns);
  if (delivery != Delivery::ok) return delivery;
  if (why_not_running() != Delivery::ok) sweep();  // it ended meanwhile
  return Delivery::ok;
}

void KernelCore::clear(Delivery why) noexcept {
  dropped_at_end_ += host().clear(why);
  if (KernelHost* const left = left_host(); left != nullptr) dropped_at_end_ += left->clear(why);
}

/// A message that came into the inbox after it was cleared is answered as the others were.
void KernelCore::sweep() noexcept {
  const std::lock_guard lock(mutex_);
  if (state() == State::terminated) clear(Delivery::not_running);
  if (state() == State::failed) clear(Delivery::failed);
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
  if (policy == Backpressure::block && deadline_ns == kComesAgain) return Delivery::full;
  const bool drops_oldest = policy == Backpressure::drop_oldest;
  const bool waits = policy == Backpressure::block && deadline_ns != 0;
  if (!drops_oldest && !waits) {
    rejected_.fetch_add(1, std::memory_order_relaxed);
    return Delivery::full;
  }
  // Dropping the oldest takes no wait on the CPU; a device may need a moment for it.
  Patience patience(deadline_ns != 0 ? deadline_ns : ring_deadline_ns(std::chrono::milliseconds{1}));
  for (;;) {
    if (drops_oldest && host().drop_oldest(band)) dropped_oldest_.fetch_add(1, std::memory_order_relaxed);
    const Delivery delivery = host().try_send(head, payload);
    if (delivery != Delivery::full) return delivery;
    if (const Delivery why = why_not_running(); why != Delivery::ok) return why;
    if (!patience.wait()) {
      rejected_.fetch_add(1, std::memory_order_relaxed);
      return drops_oldest ? Delivery::full : Delivery::timed_out;
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
  if (!request_.desk->is_open(correlation)) return Delivery::empty;
  reply.reserve(request_.desk->max_payload_bytes());
  return look(correlation, reply);
}

/// `empty` until there is an answer; then the request is over.
Delivery KernelCore::look(std::uint64_t correlation, Letter& reply) noexcept {
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
    const Delivery delivery = look(head.correlation, reply);
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
    // What it said before its device was lost comes first.
    KernelHost* const left = left_host();
    if (left != nullptr && left->try_receive(letter) == Delivery::ok) return Delivery::ok;
    if (host().try_receive(letter) == Delivery::ok) return Delivery::ok;
    if (deadline_ns == 0) return Delivery::empty;
    if (const Delivery why = why_not_running(); why != Delivery::ok) return why;
    if (!patience.wait()) return Delivery::timed_out;
  }
}

Delivery KernelCore::receive_dead(Letter& letter) noexcept {
  letter.reserve(request_.spec.max_payload_bytes);
  KernelHost* const left = left_host();
  if (left != nullptr && left->try_receive_dead(letter) == Delivery::ok) return Delivery::ok;
  return host().try_receive_dead(letter);
}

bool KernelCore::try_take_far(std::size_t band, Letter& letter) noexcept {
  // What it handed over before its device was lost comes first; but not requests: who waits for those may
  // have been told that they failed, and have his place for another by the time that they were answered.
  KernelHost* const left = left_host();
  for (KernelHost* const from : {left, &host()})
    while (from != nullptr && from->try_take_far(band, letter)) {
      if (!from->device_lost() || (letter.head.flags & MessageHead::kRequest) == 0) return true;
      tell_verdict_again(*request_.desk, letter.head, Delivery::failed);
    }
  return false;
}

void KernelCore::require_at_rest(const char* what) const {
  if (state() == State::launched || state() == State::paused || state() == State::failed) return;
  throw InvalidState(
      std::string("a ") + what + " of kernel '" + request_.spec.name + "' was asked for while it is " +
      std::string(to_string(state())) +
      (state() == State::active ? "; pause it first" : "; only one that is launched has a state"));
}

std::vector<std::byte> KernelCore::checkpoint() const {
  require_own_process();
  const std::lock_guard lock(mutex_);
  require_at_rest("checkpoint");
  std::vector<std::byte> state(request_.handler.state_bytes);
  host().save_state(state);
  return write_checkpoint(request_.handler.name, state);
}

void KernelCore::restore(std::span<const std::byte> checkpoint) {
  require_own_process();
  const std::lock_guard lock(mutex_);
  if (state() == State::failed)
    throw InvalidState("kernel '" + request_.spec.name +
                       "' has failed; launch it before it gets a state back");
  require_at_rest("restore");
  host().load_state(read_checkpoint(checkpoint, request_.handler.name, request_.handler.state_bytes));
}

std::string KernelCore::failure() const {
  require_own_process();
  const std::lock_guard lock(mutex_);
  return failure_;
}

TelemetryBlock KernelCore::counts() const noexcept {
  const KernelHost* const left = left_host();
  return left != nullptr ? sum_of(left->counts(), host().counts()) : host().counts();
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
              .device = device(),
              .state = state(),
              .counts = counts(),
              .sent = host().sent() + (left_host() != nullptr ? left_host()->sent() : 0),
              .rejected = rejected_.load(),
              .dropped_newest = dropped_newest_.load(),
              .dropped_oldest = dropped_oldest_.load(),
              .dropped_at_end = dropped_at_end_.load(),
              .undelivered = undelivered_.load(),
              .restarts = restarts_.load(),
              .latency = host().latency()};
  for (std::size_t band = 0; band < kBands; ++band) {
    t.depth[band] = host().depth(band);
    std::uint64_t peak = peak_[band].load();
    while (t.depth[band] > peak && !peak_[band].compare_exchange_weak(peak, t.depth[band])) {
    }
    t.peak[band] = std::max(peak, t.depth[band]);
  }
  t.last_error = failure_;
  if (launched_ns_ != 0) {
    t.uptime_s = static_cast<double>(ring_now_ns() - launched_ns_) * 1e-9;
    t.busy_ratio =
        static_cast<double>(t.counts.busy_ns - busy_before_ns_) * 1e-9 / std::max(t.uptime_s, 1e-9);
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

void KernelCore::fail(const std::string& reason, bool restarts) {
  before_failure_ = state();
  failure_ = reason;
  restarting_.store(restarts, std::memory_order_release);
  state_.store(State::failed, std::memory_order_release);
  if (restarts) restart();
  restarting_.store(false, std::memory_order_release);
  if (state() == State::failed) clear(Delivery::failed);
}

/// Goes back to where the failure came; where the device answers with an error it stays failed.
void KernelCore::restart() {
  const KernelHost* const before = &host();
  (void)host().join(ring_deadline_ns(std::chrono::milliseconds{100}));
  try {
    start();
  } catch (const std::exception& error) {
    failure_ += std::string("; it could not be started again: ") + error.what();
    return;
  }
  if (&host() != before) failure_ += "; it went on on the CPU, with its first state";
  restarts_.fetch_add(1, std::memory_order_relaxed);
  if (before_failure_ == State::active) host().command(Command::run);
  state_.store(before_failure_, std::memory_order_release);
}

void KernelCore::supervise() {
  const std::unique_lock lock(mutex_, std::try_to_lock);  // whoever holds it looks after the kernel
  if (lock.owns_lock() && why_not_running() == Delivery::ok) look_after();
}

/// Finds a failure, and a handler that does not return.
void KernelCore::look_after() {
  // A sender that was held up may have come to the host that was left after that was cleared.
  if (KernelHost* const left = left_host(); left != nullptr) dropped_at_end_ += left->clear(Delivery::failed);
  host().examine();
  if (host().phase() == Phase::failed) return fail(host().failure(), moves_to_cpu() || may_restart());
  const auto limit = std::chrono::nanoseconds{request_.spec.handler_limit}.count();
  const std::int64_t since = host().busy_since_ns();
  if (limit == 0 || since == 0 || ring_now_ns() - since < limit) return;
  host().give_up(
      "the handler had not returned after " + std::to_string(request_.spec.handler_limit.count()) +
      " ms, the limit of this kernel; split its work into several messages or raise handler_limit");
  // Where this cost the device the fault is the kernel's own: only its policy starts it again.
  fail(host().failure(), may_restart());
}

}  // namespace ringwave::ring
