// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/ring_port.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/live/spun_request.hpp"

namespace ringwave::live {
namespace {

constexpr std::size_t kRequests = 64;  // of which all but one are blocks that came late
constexpr std::uint32_t kBlock = 0;
constexpr std::chrono::seconds kPatience{10};  // of who makes one, on a machine that is busy

std::size_t block_bytes(const RingPort::Spec& spec) {
  return sizeof(float) * static_cast<std::size_t>(spec.channels) *
         static_cast<std::size_t>(spec.max_block_frames);
}

/// The answer to a setting may be longer than a short block.
std::size_t reply_bytes(const RingPort::Spec& spec) {
  return std::max(block_bytes(spec), sizeof(std::uint64_t));
}

ring::Outgoing message_of(std::uint32_t type, std::uint32_t argument,
                          std::span<const std::byte> payload) noexcept {
  ring::Outgoing message;
  message.head.type = type;
  message.head.argument = argument;
  message.payload = payload;
  return message;
}

}  // namespace

Status status_of(ring::Delivery delivery) noexcept {
  using ring::Delivery;
  switch (delivery) {
    case Delivery::ok:
      return Status::ok;
    case Delivery::full:
      return Status::busy;
    case Delivery::not_running:
    case Delivery::failed:
    case Delivery::forked:
      return Status::not_running;
    case Delivery::too_large:
    case Delivery::unknown_type:
      return Status::wrong_shape;
    default:
      return Status::late;
  }
}

RingPort::RingPort(Spec spec, std::span<const std::byte> state)
    : spec_(std::move(spec)),
      runtime_({.device = spec_.device, .requests = kRequests, .max_reply_bytes = reply_bytes(spec_)}),
      kernel_(runtime_.create(kernel_spec(), state)),
      input_(block_bytes(spec_) / sizeof(float)) {
  reply_.reserve(reply_bytes(spec_));
  kernel_.launch();
  kernel_.activate(kPatience);
}

ring::KernelSpec RingPort::kernel_spec() const {
  return {.handler = spec_.handler,
          .device = spec_.device,
          .inbox_capacity = ring::KernelSpec::kLeastCapacity,
          .outbox_capacity = ring::KernelSpec::kLeastCapacity,
          .max_payload_bytes = std::max(block_bytes(spec_), spec_.max_parameter_bytes),
          .backpressure = ring::Backpressure::reject,  // to wait for room would be to sleep
          .wait = ring::Wait::spin,
          .threads = spec_.threads};
}

Status RingPort::process(BlockView<float> out) noexcept {
  const auto frames = static_cast<std::size_t>(out.frames());
  const std::size_t samples = static_cast<std::size_t>(spec_.channels) * frames;
  const ring::Delivery delivery = spun_request(
      kernel_,
      message_of(kBlock, static_cast<std::uint32_t>(frames), std::as_bytes(std::span(input_).first(samples))),
      reply_, spec_.deadline);
  if (delivery != ring::Delivery::ok) return status_of(delivery);
  const auto payload = reply_.payload();
  if (payload.size() != sizeof(float) * samples) return Status::wrong_shape;
  for (int channel = 0; channel < spec_.channels; ++channel)
    std::memcpy(out.channel(channel).data(),
                payload.data() + sizeof(float) * static_cast<std::size_t>(channel) * frames,
                sizeof(float) * frames);
  return Status::ok;
}

Status RingPort::reset() noexcept {
  return tell(spec_.reset_type, {});
}

Status RingPort::tell(std::uint32_t type, std::span<const std::byte> payload) noexcept {
  return status_of(kernel_.try_send(message_of(type, 0, payload)));
}

void RingPort::ask(std::uint32_t type, std::uint32_t argument, std::span<const std::byte> payload) {
  ring::Letter reply;
  const ring::Delivery delivery = kernel_.request(message_of(type, argument, payload), reply, kPatience);
  if (delivery == ring::Delivery::ok) return;
  const std::string what = "kernel '" + kernel_.name() + "' was to take a setting and answered '" +
                           std::string(to_string(delivery)) + "'";
  if (delivery == ring::Delivery::timed_out || delivery == ring::Delivery::expired)
    throw TimedOut(what + "; is it paused, or its device busy?");
  throw InvalidState(what + "; recover() makes another one");
}

void RingPort::begin_again(std::span<const std::byte> state) {
  (void)kernel_.terminate();
  kernel_ = runtime_.create(kernel_spec(), state);
  kernel_.launch();
  kernel_.activate(kPatience);
}

}  // namespace ringwave::live
