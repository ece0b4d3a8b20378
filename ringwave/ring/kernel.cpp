// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/kernel.hpp"

#include <algorithm>

#include "ringwave/ring/kernel_core.hpp"
#include "ringwave/ring/ring_clock.hpp"

namespace ringwave::ring {
namespace {

MessageHead head_of(const Outgoing& message, std::int64_t now_ns) noexcept {
  MessageHead head = message.head;
  const bool is_by_reference = message.parcel != nullptr;
  const std::size_t bytes = is_by_reference ? sizeof(BufferReference) : message.payload.size();
  // Longer than any message may be, without being cut to 32 bits.
  head.bytes = static_cast<std::uint32_t>(std::min<std::size_t>(bytes, ~std::uint32_t{0}));
  head.source = 0;
  head.sent_ns = now_ns;
  head.flags = is_by_reference ? MessageHead::kByReference : std::uint8_t{0};
  return head;
}

const void* payload_of(const Outgoing& message) noexcept {
  if (message.parcel != nullptr) return &message.parcel->reference();
  return message.payload.data();
}

}  // namespace

void Kernel::launch() const {
  core_->launch();
}
void Kernel::activate(Duration timeout) const {
  core_->activate(timeout);
}
void Kernel::pause(Duration timeout) const {
  core_->pause(timeout);
}
bool Kernel::terminate(Duration timeout) const noexcept {
  return core_->terminate(timeout);
}
void Kernel::connect(const Kernel& target) const {
  core_->connect(*target.core_);
}

Delivery Kernel::send(const Outgoing& message, Duration timeout) const noexcept {
  const std::int64_t now = ring_now_ns();
  return core_->send(head_of(message, now), payload_of(message), ring_deadline_ns(timeout, now));
}

Delivery Kernel::try_send(const Outgoing& message) const noexcept {
  return core_->send(head_of(message, ring_now_ns()), payload_of(message), 0);
}

std::size_t Kernel::send_batch(std::span<const Outgoing> messages, Duration timeout) const noexcept {
  std::size_t count = 0;
  while (count < messages.size() && send(messages[count], timeout) == Delivery::ok) ++count;
  return count;
}

Delivery Kernel::request(const Outgoing& message, Letter& reply, Duration timeout) const noexcept {
  const std::int64_t now = ring_now_ns();
  return core_->request(head_of(message, now), payload_of(message), reply, ring_deadline_ns(timeout, now));
}

std::uint64_t Kernel::begin_request(const Outgoing& message, Delivery& delivery,
                                    Duration timeout) const noexcept {
  const std::int64_t now = ring_now_ns();
  MessageHead head = head_of(message, now);
  delivery = core_->begin(head, payload_of(message), ring_deadline_ns(timeout, now));
  return delivery == Delivery::ok ? head.correlation : 0;
}

Delivery Kernel::finish_request(std::uint64_t correlation, Letter& reply) const noexcept {
  return core_->finish(correlation, reply);
}

void Kernel::forget_request(std::uint64_t correlation) const noexcept {
  core_->forget(correlation);
}

Delivery Kernel::receive(Letter& letter, Duration timeout) const noexcept {
  return core_->receive(letter, ring_deadline_ns(timeout));
}
Delivery Kernel::try_receive(Letter& letter) const noexcept {
  return core_->receive(letter, 0);
}
Delivery Kernel::receive_dead(Letter& letter) const noexcept {
  return core_->receive_dead(letter);
}

std::vector<std::byte> Kernel::checkpoint() const {
  return core_->checkpoint();
}
void Kernel::restore(std::span<const std::byte> checkpoint) const {
  core_->restore(checkpoint);
}

State Kernel::state() const noexcept {
  return core_->state();
}
Telemetry Kernel::telemetry() const {
  return core_->telemetry();
}
TelemetryBlock Kernel::counts() const noexcept {
  return core_->counts();
}
std::string Kernel::failure() const {
  return core_->failure();
}
const std::string& Kernel::name() const noexcept {
  return core_->spec().name;
}
const std::string& Kernel::device() const noexcept {
  return core_->device();
}
std::uint16_t Kernel::number() const noexcept {
  return core_->number();
}

}  // namespace ringwave::ring
