// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/cpu/actor.hpp"

#include <algorithm>
#include <exception>
#include <optional>

#include "ringwave/core/relax.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/ring/buffer_reference.hpp"
#include "ringwave/ring/kernel_table.hpp"
#include "ringwave/ring/parcel_bin.hpp"
#include "ringwave/ring/patience.hpp"
#include "ringwave/ring/ring_clock.hpp"
#include "ringwave/ring/shared_word.hpp"

namespace ringwave::ring {
namespace {

constexpr std::int64_t kSpinNs = 50'000;         // of a hybrid wait
constexpr std::int64_t kNapNs = 100'000'000;     // the longest sleep without a look
constexpr std::int64_t kSendNs = 1'000'000'000;  // a kernel waits no longer for room at another

}  // namespace

void Actor::run() noexcept {
  state_.phase.store(Phase::holding, std::memory_order_release);
  for (;;) {
    const Command command = post_.command.load(std::memory_order_acquire);
    if (command == Command::end || state_.abandoned.load(std::memory_order_acquire)) break;
    if (command == Command::hold) {
      state_.phase.store(Phase::holding, std::memory_order_release);
      rest(command);
      continue;
    }
    state_.phase.store(Phase::running, std::memory_order_release);
    raise(post_.counts.polls, std::uint64_t{1});
    if (!take()) {
      wait();
      continue;
    }
    idle_since_ns_ = 0;
    idle_looks_ = 0;
    handle();
    let_go(state_.head, state_.payload.data());
    if (failed_ || state_.abandoned.load(std::memory_order_acquire)) break;
  }
  if (!failed_ && !state_.abandoned.load(std::memory_order_acquire))
    state_.phase.store(Phase::ended, std::memory_order_release);
  state_.left.store(true, std::memory_order_release);
}

bool Actor::take() noexcept {
  if (!state_.enter()) return false;
  bool found = false;
  for (std::size_t band = kBands; band-- > 0 && !found;)
    found = post_.bands[band].try_pop(state_.head, state_.payload);
  if (found) state_.open_answer();
  state_.leave();
  return found;
}

void Actor::wait() noexcept {
  const Wait wait = post_.request.spec.wait;
  if (wait == Wait::blocking) return rest(Command::run);
  if (idle_looks_ < Patience::kEagerLooks) {
    ++idle_looks_;
    return;
  }
  if (wait == Wait::spin) return relax();
  const std::int64_t now = ring_now_ns();
  if (idle_since_ns_ == 0) idle_since_ns_ = now;
  if (now - idle_since_ns_ < kSpinNs) return relax();
  rest(Command::run);
}

/// Sleeps until somebody rings. The last look comes after the doorbell was listened to; it asks whether the
/// command is still the one that was acted on, because a ring before that woke nobody.
void Actor::rest(Command acted_on) noexcept {
  const std::uint32_t ticket = post_.doorbell.listen();
  bool anything = post_.command.load(std::memory_order_seq_cst) != acted_on;
  if (acted_on == Command::run)
    for (const BandQueue& band : post_.bands) anything = anything || band.size() > 0;
  if (anything)
    post_.doorbell.leave();
  else
    post_.doorbell.sleep(ticket, ring_now_ns() + kNapNs);
}

void Actor::handle() noexcept {
  const MessageHead& head = state_.head;
  if (window_.is_duplicate(head.id)) {
    raise(post_.counts.duplicates, std::uint64_t{1});
    return conclude(Delivery::duplicate);
  }
  const std::int64_t now = ring_now_ns();
  if (head.deadline_ns != 0 && now > head.deadline_ns) return bury();
  state_.busy_since_ns.store(now, std::memory_order_release);
  call_handler();
  finish(now);
}

void Actor::call_handler() noexcept {
  failed_ = refused_ = overrun_ = false;
  reply_bytes_ = 0;
  Context context(this);
  const trace::Span span("ring message");
  try {
    const Message message = this->message();
    post_.request.handler.on_message(state_.handler(), context, message);
    if (overrun_) {
      failed_ = true;
      state_.fail("the handler went beyond the end of a payload of " + std::to_string(message.bytes()) +
                  " bytes; compare with view.size()");
    }
  } catch (const std::exception& error) {
    failed_ = true;
    state_.fail(std::string("the handler threw: ") + error.what());
  } catch (...) {
    failed_ = true;
    state_.fail("the handler threw something that is no std::exception");
  }
}

/// The message in hand, with the payload that it carries or refers to.
Message Actor::message() noexcept {
  const std::byte* const payload = state_.payload.data();
  if (!is_by_reference(state_.head)) return {state_.head, payload, &overrun_};
  const BufferReference reference = reference_in(payload);
  referring_ = state_.head;
  referring_.bytes = static_cast<std::uint32_t>(reference.bytes);
  return {referring_, reference.data, &overrun_};
}

void Actor::finish(std::int64_t begin_ns) noexcept {
  const bool abandoned = state_.abandoned.load(std::memory_order_acquire);
  conclude(failed_ || abandoned ? Delivery::failed
           : refused_           ? Delivery::unknown_type
                                : Delivery::unanswered);
  state_.busy_since_ns.store(0, std::memory_order_release);
  if (abandoned) return;  // the counters are another one's
  count_latency(begin_ns);
  const std::int64_t now = ring_now_ns();
  raise(post_.counts.busy_ns, static_cast<std::uint64_t>(now - begin_ns));
  poke(post_.counts.last_ns, now);
  if (failed_ || refused_) raise(post_.counts.errors, std::uint64_t{1});
  raise(post_.counts.processed, std::uint64_t{1});
}

void Actor::count_latency(std::int64_t now_ns) noexcept {
  LatencyBuckets& buckets = post_.latency;
  const std::int64_t ns = std::max<std::int64_t>(0, now_ns - state_.head.sent_ns);
  raise(buckets.counts[LatencyBuckets::bucket_of(ns)], std::uint64_t{1});
  if (peek(buckets.min_ns) == 0 || ns < peek(buckets.min_ns)) poke(buckets.min_ns, ns);
  if (ns > peek(buckets.max_ns)) poke(buckets.max_ns, ns);
}

/// A message whose time is over: the host can read it in the dead letters, as long as there is room, but not
/// what it referred to.
void Actor::bury() noexcept {
  raise(post_.counts.expired, std::uint64_t{1});
  MessageHead head = state_.head;
  if (is_by_reference(head)) head.bytes = 0;
  (void)put(post_.dead, post_.dead_tail, head, state_.payload.data());
  conclude(Delivery::expired);
}

/// What became of the message in hand, where somebody waits for an answer and it has none.
void Actor::conclude(Delivery delivery) noexcept {
  if (state_.claim_answer()) post_.answer(state_.head, delivery);
}

Delivery Actor::put(SlotRing& ring, std::uint64_t& tail, const MessageHead& head,
                    const void* bytes) noexcept {
  if (!state_.enter()) return Delivery::failed;
  const Delivery delivery = ring.try_send(tail, head, bytes);
  state_.leave();
  return delivery;
}

MessageHead Actor::head_for(std::uint32_t type, std::size_t size) const noexcept {
  MessageHead head;
  head.id = state_.head.id;
  head.type = type;
  head.bytes = static_cast<std::uint32_t>(size);
  head.source = post_.request.number;
  head.sent_ns = state_.busy_since_ns.load(std::memory_order_relaxed);
  return head;
}

Delivery Actor::reply(const void* bytes, std::size_t size, std::uint32_t type) noexcept {
  if ((state_.head.flags & MessageHead::kRequest) == 0) return Delivery::unknown_target;
  if (size > post_.request.desk->max_payload_bytes()) return Delivery::too_large;
  if (!state_.claim_answer()) return Delivery::duplicate;
  MessageHead head = head_for(type, size);
  head.correlation = state_.head.correlation;
  post_.request.desk->answer(head.correlation, head, bytes);
  return Delivery::ok;
}

std::byte* Actor::reply_space(std::size_t size) noexcept {
  if ((state_.head.flags & MessageHead::kRequest) == 0 || size > post_.request.desk->max_payload_bytes() ||
      state_.is_answered())
    return nullptr;
  reply_bytes_ = static_cast<std::uint32_t>(size);
  // Not the desk's own: a handler that was given up may still write here when the slot is another's.
  return state_.reply.data();
}

Delivery Actor::send_reply() noexcept {
  return reply(state_.reply.data(), reply_bytes_, state_.head.type);
}

Delivery Actor::emit(std::uint32_t type, const void* bytes, std::size_t size) noexcept {
  if (size > post_.request.spec.max_payload_bytes) return Delivery::too_large;
  MessageHead head = head_for(type, size);
  head.correlation = state_.head.correlation;
  Delivery delivery = put(post_.outbox, post_.outbox_tail, head, bytes);
  if (delivery == Delivery::full && post_.request.spec.backpressure == Backpressure::block) {
    Patience patience(ring_now_ns() + kSendNs);
    while (delivery == Delivery::full && !stopping() && patience.wait())
      delivery = put(post_.outbox, post_.outbox_tail, head, bytes);
  }
  if (delivery == Delivery::full) raise(post_.counts.dropped, std::uint64_t{1});
  return delivery;
}

Delivery Actor::send(std::uint16_t target, std::uint32_t type, const void* bytes, std::size_t size,
                     std::uint8_t priority, bool with_request) noexcept {
  if (state_.abandoned.load(std::memory_order_acquire)) return Delivery::failed;
  MessageHead head = head_for(type, size);
  head.id = 0;
  head.priority = priority;
  head.sent_ns = ring_now_ns();
  head.deadline_ns = state_.head.deadline_ns;
  if (is_by_reference(state_.head)) {
    // A payload that is handed on as it came stays where it is.
    const BufferReference reference = reference_in(state_.payload.data());
    if (bytes == reference.data && size == reference.bytes) {
      head.flags = MessageHead::kByReference;
      head.bytes = sizeof reference;
      bytes = state_.payload.data();
    }
  }
  const bool hands_over = with_request && (state_.head.flags & MessageHead::kRequest) != 0;
  if (hands_over) {
    if (!state_.claim_answer()) return Delivery::duplicate;
    head.correlation = state_.head.correlation;
    head.flags |= MessageHead::kRequest;
  }
  const Delivery delivery = bring(target, head, bytes);
  if (hands_over && delivery != Delivery::ok) state_.unclaim_answer();
  return delivery;
}

/// To another kernel's inbox; where that is full and its senders wait, until there is room, as long as this
/// kernel goes on.
Delivery Actor::bring(std::uint16_t target, const MessageHead& head, const void* bytes) noexcept {
  KernelTable& table = *post_.request.table;
  const std::int64_t deadline = head.sent_ns + kSendNs;
  std::optional<Delivery> delivery = table.try_send(target, head, bytes, deadline);
  for (Patience patience(deadline); !delivery.has_value() && !stopping() && patience.wait();)
    delivery = table.try_send(target, head, bytes, deadline);
  return delivery.has_value() ? *delivery : table.send(target, head, bytes, KernelTable::kPast);
}

int Actor::targets() const noexcept {
  return static_cast<int>(post_.request.targets.size());
}

std::uint16_t Actor::target(int index) const noexcept {
  return index >= 0 && index < targets() ? post_.request.targets[static_cast<std::size_t>(index)]
                                         : std::uint16_t{0};
}

void Actor::fail(std::uint32_t code) noexcept {
  failed_ = true;
  state_.fail("the handler failed with code " + std::to_string(code));
}

bool Actor::stopping() const noexcept {
  return post_.command.load(std::memory_order_relaxed) == Command::end ||
         state_.abandoned.load(std::memory_order_relaxed);
}

}  // namespace ringwave::ring
