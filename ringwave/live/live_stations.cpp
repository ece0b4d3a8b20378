// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/live_stations.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "ringwave/backend/registry.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/live/called_stations.hpp"
#include "ringwave/live/live_trial.hpp"
#include "ringwave/live/stations_trial.hpp"
#include "ringwave/live/stations_twin.hpp"
#include "ringwave/live/way_choice.hpp"

namespace ringwave::live {
namespace {

using Spec = LiveStations::Spec;

Spec with_deadline(Spec spec) {
  if (spec.deadline.count() < 0)
    throw InvalidArgument("live stations were asked for with a deadline of " +
                          std::to_string(spec.deadline.count()) + " ns; use 0 for a block's length, or more");
  if (spec.deadline.count() == 0 && spec.sample_rate_hz > 0)
    spec.deadline =
        std::chrono::nanoseconds{std::int64_t{1'000'000'000} * spec.max_block_frames / spec.sample_rate_hz};
  return spec;
}

synth::Renderer::Spec renderer_spec(const Spec& spec, Way way) {
  return {.stations = spec.stations,
          .voices = spec.voices,
          .max_block_frames = spec.max_block_frames,
          .sample_rate_hz = spec.sample_rate_hz,
          .format = spec.format,
          .threads = 1,  // the caller's: to wait for others would be to trust them to be awake
          .as_graph = way == Way::graph,
          .patches = spec.patches};
}

std::unique_ptr<StationsPort> make_port(const WayChoice& chosen, const Spec& spec,
                                        const synth::RendererRequest& request) {
  // In every way: what was measured does not decide whether a spec is valid.
  StationsTwin::require_fitting(spec, request);
  if (chosen.way == Way::ring) return std::make_unique<StationsTwin>(chosen.device, spec, request);
  return std::make_unique<CalledStations>(
      backend::Registry::instance().make<synth::Renderer>(chosen.device, request));
}

}  // namespace

LiveStations::LiveStations(Device device, Spec spec) {
  spec = with_deadline(std::move(spec));
  const WayChoice chosen = choose_way(kName, {device, spec.way}, spec.max_block_frames, spec.stations);
  way_ = chosen.way;
  renderer_ = std::make_unique<synth::Renderer>(chosen.device, renderer_spec(spec, way_),
                                                [&](const synth::RendererRequest& request) {
                                                  auto port = make_port(chosen, spec, request);
                                                  port_ = port.get();
                                                  return port;
                                                });
}

LiveStations::~LiveStations() = default;
LiveStations::LiveStations(LiveStations&&) noexcept = default;
LiveStations& LiveStations::operator=(LiveStations&&) noexcept = default;

template <class Give>
Status LiveStations::command(const Give& give) noexcept {
  if (is_pending_ || commands_ >= kMostCommands) return Status::busy;
  const Status status = give();
  commands_ += status == Status::ok ? 1 : 0;
  return status;
}

Status LiveStations::start(int station, const synth::StationEffects& effects) noexcept {
  return command([&] { return renderer_->start(station, effects); });
}

Status LiveStations::set(int station, const synth::StationEffects& effects) noexcept {
  return command([&] { return renderer_->set(station, effects); });
}

Status LiveStations::stop(int station) noexcept {
  return command([&] { return renderer_->stop(station); });
}

Status LiveStations::process(std::span<const synth::VoiceEvent> events, int frames) noexcept {
  is_rendered_ = false;
  if (events.size() > static_cast<std::size_t>(max_events())) return Status::wrong_shape;
  const Status status = renderer_->submit(events, frames);
  if (status == Status::wrong_shape) return status;
  is_pending_ = status != Status::ok;
  if (is_pending_) return status;
  commands_ = 0;
  is_rendered_ = true;
  return renderer_->fetch();
}

std::span<const float> LiveStations::samples(int station) const noexcept {
  return is_rendered_ ? renderer_->samples(station) : std::span<const float>{};
}

std::span<const std::int16_t> LiveStations::pcm(int station) const noexcept {
  return is_rendered_ ? renderer_->pcm(station) : std::span<const std::int16_t>{};
}

std::uint64_t LiveStations::misses() const noexcept {
  return port_->misses();
}
ring::Delivery LiveStations::last_miss() const noexcept {
  return port_->last_miss();
}
std::uint64_t LiveStations::recoveries() const noexcept {
  return port_->recoveries();
}
const ring::Kernel* LiveStations::kernel() const noexcept {
  return port_->kernel();
}

int LiveStations::max_events() noexcept {
  return StationsHandler::kMostEvents;
}

backend::OpInfo LiveStations::info(Way way) {
  const auto make = []<Way kWay>() {
    return [](Device device, int size, int batch) -> std::unique_ptr<backend::Trial> {
      return std::make_unique<StationsTrial>(device, kWay, size, batch);
    };
  };
  backend::OpInfo made =
      live_info(kName, "stations of eight pads each, with their effects, live", way,
                {make.template operator()<Way::launch>(), make.template operator()<Way::graph>(),
                 make.template operator()<Way::ring>()});
  made.batches = {1, 10};  // a call costs by the station, a kernel has a block for each
  return made;
}

}  // namespace ringwave::live
