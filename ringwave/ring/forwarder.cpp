// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/forwarder.hpp"

#include <optional>
#include <utility>

#include "ringwave/core/relax.hpp"
#include "ringwave/core/thread_name.hpp"
#include "ringwave/ring/kernel_core.hpp"
#include "ringwave/ring/kernel_table.hpp"
#include "ringwave/ring/ring_clock.hpp"
#include "ringwave/ring/verdict.hpp"

namespace ringwave::ring {
namespace {

constexpr std::int64_t kRoomNs = 1'000'000'000;   // a message waits no longer for room
constexpr std::int64_t kSpinNs = 200'000;         // after a message
constexpr std::int64_t kAwakeNs = 1'000'000'000;  // after which naps are long
constexpr std::int64_t kNapNs = 50'000;
constexpr std::int64_t kLongNapNs = 1'000'000;
constexpr std::uint32_t kLooks = 64;  // from one look at the clock to the next

}  // namespace

void Forwarder::add(std::shared_ptr<KernelCore> kernel) {
  {
    const std::lock_guard lock(mutex_);
    added_.push_back(std::move(kernel));
  }
  has_added_.store(true, std::memory_order_release);
  bell_.ring();
}

void Forwarder::let_go() {
  std::vector<std::shared_ptr<KernelCore>> over;
  const std::lock_guard lock(mutex_);
  over.swap(over_);
}

void Forwarder::start() {
  if (thread_.joinable()) return;
  stopping_.store(false, std::memory_order_relaxed);
  thread_ = std::thread([this] { run(); });
}

void Forwarder::stop() {
  if (thread_.joinable()) {
    stopping_.store(true, std::memory_order_seq_cst);
    bell_.ring();
    thread_.join();
  }
  take_in_added();
  lines_.clear();
  let_go();
}

void Forwarder::abandon() {
  if (thread_.joinable()) thread_.detach();
}

void Forwarder::run() noexcept {
  name_thread("ring forwarder");
  last_ns_ = ring_now_ns();
  while (!stopping_.load(std::memory_order_acquire)) {
    if (look()) {
      looks_ = 0;
      last_ns_ = ring_now_ns();
    } else {
      rest();
    }
  }
  // The kernels have ended: what is there is brought or answered.
  while (look()) {
  }
}

void Forwarder::rest() noexcept {
  relax();
  if (++looks_ % kLooks != 0) return;
  const std::int64_t now = ring_now_ns();
  const std::int64_t quiet = now - last_ns_;
  if (quiet < kSpinNs) return;
  const std::uint32_t ticket = bell_.listen();
  if (stopping_.load(std::memory_order_seq_cst) || has_added_.load(std::memory_order_seq_cst))
    bell_.leave();
  else
    bell_.sleep(ticket, now + (quiet < kAwakeNs ? kNapNs : kLongNapNs));
  looks_ = kLooks - 2;  // two looks, and then the next nap
}

void Forwarder::take_in_added() {
  if (!has_added_.exchange(false, std::memory_order_acq_rel)) return;
  std::vector<std::shared_ptr<KernelCore>> added;
  {
    const std::lock_guard lock(mutex_);
    added.swap(added_);
  }
  for (auto& kernel : added) {
    Line& line = lines_.emplace_back();
    line.source = std::move(kernel);
    for (Waiting& waiting : line.bands) waiting.letter.reserve(line.source->spec().max_payload_bytes);
  }
}

bool Forwarder::look() {
  take_in_added();
  bool any = false;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    Line& line = lines_[i];
    bool is_over = line.source->state() == State::terminated;  // after that it hands over nothing
    for (std::size_t band = kBands; band-- > 0;) {
      const bool gets_on = step(*line.source, band, line.bands[band]);
      any = any || gets_on;
      is_over = is_over && !gets_on && line.bands[band].since_ns == 0;
    }
    if (!is_over) continue;
    {
      const std::lock_guard lock(mutex_);
      over_.push_back(std::move(line.source));
    }
    std::swap(line, lines_.back());
    lines_.pop_back();
    --i;
  }
  return any;
}

/// Takes the next message of a band, or the one that waits, and brings it; false where it does not get on.
bool Forwarder::step(KernelCore& source, std::size_t band, Waiting& waiting) noexcept {
  MessageHead& head = waiting.letter.head;
  const bool is_new = waiting.since_ns == 0;
  if (is_new) {
    if (!source.try_take_far(band, waiting.letter)) return false;
    waiting.target = static_cast<std::uint16_t>(head.argument);
    waiting.since_ns = ring_now_ns();
    head.sent_ns = waiting.since_ns;
    head.argument = 0;
  }
  const std::byte* const payload = waiting.letter.storage().data();
  std::optional<Delivery> delivery = head.bytes <= waiting.letter.storage().size()
                                         ? table_.try_send(waiting.target, head, payload, 0)
                                         : Delivery::too_large;
  if (!delivery.has_value()) {
    const bool is_over =
        ring_now_ns() - waiting.since_ns > kRoomNs || stopping_.load(std::memory_order_relaxed);
    if (!is_over) return is_new;
    delivery = table_.send(waiting.target, head, payload, KernelTable::kPast);
  }
  waiting.since_ns = 0;
  if (*delivery != Delivery::ok) {
    source.count_undelivered();
    tell_verdict(desk_, head, *delivery);
  }
  return true;
}

}  // namespace ringwave::ring
