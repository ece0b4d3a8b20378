// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/live_stations.hpp"

#include <string>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/live/stations_twin.hpp"

namespace ringwave::live {

LiveStations::LiveStations(Device device, Spec spec) {
  const ring::Runtime::Spec where{.device = device, .requests = 1, .max_reply_bytes = 8};
  const Device chosen = device.is_automatic() ? ring::Runtime(where).device() : device;
  if (spec.deadline.count() < 0)
    throw InvalidArgument("live stations were asked for with a deadline of " +
                          std::to_string(spec.deadline.count()) + " ns; use 0 for a block's length, or more");
  if (spec.deadline.count() == 0 && spec.sample_rate_hz > 0)
    spec.deadline =
        std::chrono::nanoseconds{std::int64_t{1'000'000'000} * spec.max_block_frames / spec.sample_rate_hz};
  renderer_ =
      std::make_unique<synth::Renderer>(chosen,
                                        synth::Renderer::Spec{.stations = spec.stations,
                                                              .voices = spec.voices,
                                                              .max_block_frames = spec.max_block_frames,
                                                              .sample_rate_hz = spec.sample_rate_hz,
                                                              .format = spec.format,
                                                              .patches = spec.patches},
                                        [&](const synth::RendererRequest& request) {
                                          auto twin = std::make_unique<StationsTwin>(chosen, spec, request);
                                          twin_ = twin.get();
                                          return twin;
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
  return twin_->misses();
}
ring::Delivery LiveStations::last_miss() const noexcept {
  return twin_->last_miss();
}
std::uint64_t LiveStations::recoveries() const noexcept {
  return twin_->recoveries();
}
const ring::Kernel& LiveStations::kernel() const noexcept {
  return twin_->kernel();
}

int LiveStations::max_events() noexcept {
  return StationsHandler::kMostEvents;
}

}  // namespace ringwave::live
