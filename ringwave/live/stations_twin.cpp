// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/stations_twin.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "ringwave/core/error.hpp"
#include "ringwave/live/spun_request.hpp"
#include "ringwave/ring/ring_clock.hpp"

namespace ringwave::live {
namespace {

using ring::Delivery;
using synth::StationCommand;

constexpr std::size_t kRequests = 64;  // of which all but one are blocks that came late
constexpr std::size_t kMostOrderBytes = sizeof(StationsHandler::Header) +
                                        StationsHandler::kMostCommands * sizeof(StationCommand) +
                                        StationsHandler::kMostEvents * sizeof(synth::VoiceEvent);
static_assert(kMostOrderBytes <= ring::kMostPayloadBytes);
// Those of the user, an end for each station, and a start for each after a failure.
static_assert(LiveStations::kMostCommands + 2 * StationsHandler::kMostStations <=
              StationsHandler::kMostCommands);
static_assert(alignof(StationCommand) <= sizeof(std::int64_t) &&
              sizeof(StationsHandler::Header) % sizeof(std::int64_t) == 0);

std::size_t block_bytes(const synth::RendererRequest& request) {
  const std::size_t frame = request.format == synth::Renderer::Format::float32 ? 8 : 4;
  return static_cast<std::size_t>(request.stations) * static_cast<std::size_t>(request.max_block_frames) *
         frame;
}

void require(bool ok, const std::string& asked, const std::string& allowed) {
  if (!ok) throw InvalidArgument("live stations were asked for with " + asked + "; use " + allowed);
}

/// One for each station, and one that finds the messages; fewer where that is more than the device has to
/// give.
int blocks_for(Device device, const synth::RendererRequest& request) {
  return std::min(request.stations + 1, ring::most_blocks(device));
}

ring::KernelSpec kernel_spec(Device device, const LiveStations::Spec& spec,
                             const synth::RendererRequest& request) {
  return {.name = StationsHandler::kName,
          .handler = StationsHandler::kName,
          .device = device,
          .inbox_capacity = ring::KernelSpec::kLeastCapacity,
          .outbox_capacity = ring::KernelSpec::kLeastCapacity,
          .max_payload_bytes = kMostOrderBytes,
          .backpressure = ring::Backpressure::reject,  // to wait for room would be to sleep
          .wait = ring::Wait::spin,
          .threads = spec.lanes,
          .blocks = blocks_for(device, request),
          .restart = spec.restart};
}

ring::Kernel make_kernel(ring::Runtime& runtime, const LiveStations::Spec& spec,
                         const synth::RendererRequest& request) {
  const auto state = std::make_unique<StationsHandler>();
  state->rates = request.rates;
  std::ranges::copy(request.patches, state->patches);
  state->stations = request.stations;
  state->slots = request.voices;
  state->floats = synth::StationRule::floats(request.rates);
  state->is_pcm = request.format == synth::Renderer::Format::int16 ? 1 : 0;
  return runtime.create(kernel_spec(runtime.device(), spec, request), *state);
}

Status status_of(Delivery delivery) noexcept {
  switch (delivery) {
    case Delivery::full:
    case Delivery::dropped:
      return Status::busy;
    case Delivery::not_running:
    case Delivery::failed:
    case Delivery::forked:
      return Status::not_running;
    default:
      return Status::late;
  }
}

}  // namespace

void StationsTwin::require_fitting(const LiveStations::Spec& spec, const synth::RendererRequest& request) {
  using Handler = StationsHandler;
  require(request.stations <= Handler::kMostStations, std::to_string(request.stations) + " stations",
          "at most " + std::to_string(Handler::kMostStations));
  require(request.stations * request.voices <= Handler::kMostVoices,
          std::to_string(request.stations * request.voices) + " voices",
          "at most " + std::to_string(Handler::kMostVoices) + " of all stations together");
  require(request.patches.size() <= Handler::kMostPatches,
          std::to_string(request.patches.size()) + " patches",
          "at most " + std::to_string(Handler::kMostPatches));
  const auto floats = static_cast<std::size_t>(synth::StationRule::floats(request.rates));
  require(static_cast<std::size_t>(request.stations) * floats <= Handler::kMostFloats,
          std::to_string(request.stations) + " stations at this sample rate",
          "at most " + std::to_string(Handler::kMostFloats / floats));
  require(block_bytes(request) <= Handler::kMostBlockBytes,
          "blocks of " + std::to_string(block_bytes(request)) + " bytes",
          "fewer stations or frames: at most " + std::to_string(Handler::kMostBlockBytes) + " bytes");
  ring::require_valid(kernel_spec(Device::cpu(), spec, request));
}

StationsTwin::StationsTwin(Device device, const LiveStations::Spec& spec,
                           const synth::RendererRequest& request)
    : deadline_(spec.deadline),
      layout_(request.rates.space.layout),
      stations_(static_cast<std::size_t>(request.stations)),
      orders_(kMostOrderBytes),
      runtime_({.device = device, .requests = kRequests, .max_reply_bytes = block_bytes(request)}),
      kernel_(make_kernel(runtime_, spec, request)) {
  reply_.reserve(block_bytes(request));
  kernel_.launch();
  kernel_.activate();
}

Status StationsTwin::submit(const synth::RenderJob& job) noexcept {
  const std::int64_t deadline_ns = ring::ring_deadline_ns(deadline_);
  compose(job);
  Delivery delivery = exchange(deadline_ns);
  const auto is_out_of_step = [&] {
    return delivery == Delivery::ok && reply_.head.type == StationsHandler::kOutOfStep;
  };
  if (is_out_of_step()) {
    anew_ = true;
    compose(job);
    delivery = exchange(deadline_ns);
  }
  if (delivery == Delivery::ok && !is_out_of_step()) {
    remember(job.commands);
    if (anew_) note_recovery();
    anew_ = false;
    return Status::ok;
  }
  note_miss(delivery);
  // A kernel that failed with the message in hand is launched again, if its policy is to.
  if (delivery == Delivery::failed && kernel_.state() != ring::State::failed) return Status::late;
  return status_of(delivery);
}

void StationsTwin::append(const void* bytes, std::size_t size) noexcept {
  if (size != 0) std::memcpy(orders_.data() + order_bytes_, bytes, size);
  order_bytes_ += size;
}

void StationsTwin::compose(const synth::RenderJob& job) noexcept {
  StationsHandler::Header header{.clock = job.clock,
                                 .frames = job.frames,
                                 .stations = job.stations,
                                 .events = static_cast<int>(job.events.size()),
                                 .commands = static_cast<int>(job.commands.size()),
                                 .places = synth::SpaceRule::places_at(layout_, job.clock)};
  order_bytes_ = sizeof header;
  if (anew_)
    for (std::size_t station = 0; station < stations_.size(); ++station) {
      if (!stations_[station].playing) continue;
      const StationCommand begin{static_cast<int>(station), StationCommand::Kind::start,
                                 stations_[station].constants};
      append(&begin, sizeof begin);
      ++header.commands;
    }
  append(job.commands.data(), job.commands.size_bytes());
  append(job.events.data(), job.events.size_bytes());
  std::memcpy(orders_.data(), &header, sizeof header);
}

Delivery StationsTwin::exchange(std::int64_t deadline_ns) noexcept {
  ring::Outgoing message;
  message.head.type = StationsHandler::kRender;
  message.head.argument = anew_ ? StationsHandler::kAnew : 0;
  message.payload = std::span(orders_).first(order_bytes_);
  const std::chrono::nanoseconds left{std::max<std::int64_t>(0, deadline_ns - ring::ring_now_ns())};
  return spun_request(kernel_, message, reply_, left);
}

void StationsTwin::remember(std::span<const StationCommand> commands) noexcept {
  for (const StationCommand& command : commands) {
    Station& station = stations_[static_cast<std::size_t>(command.station)];
    station.playing = command.kind != StationCommand::Kind::end;
    if (station.playing) station.constants = command.constants;
  }
}

}  // namespace ringwave::live
