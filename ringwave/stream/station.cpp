// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/station.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "ringwave/stream/station_news.hpp"

namespace ringwave::stream {
namespace {

constexpr std::size_t kNews = 16;

/// Rendered, and not yet collected. After a pause of the machine the render loop catches up in one go; the
/// rest is for a thread that collects and does not get its core meanwhile.
constexpr double kRingSeconds = RenderLoop::kMostCatchUpSeconds + 0.36;
/// Collected, and not yet encoded: all that can come at once, and half as much.
constexpr double kSamplesSeconds = 1.5 * kRingSeconds;

int blocks_in(const Station::Spec& spec, double seconds) {
  return static_cast<int>(seconds * spec.sample_rate_hz / spec.block_frames);
}

int bitrate_of(const Station::Spec& spec, io::StreamFormat format) noexcept {
  using enum io::StreamFormat;
  if (format == opus || format == ogg_opus) return spec.opus_bitrate;
  return format == mp3 ? spec.mp3_bitrate : 0;
}

Timeline::WishPtr wish_of(const music::Settings& settings, std::string preset) {
  return std::make_shared<const Timeline::Wish>(
      Timeline::Wish{.settings = settings, .preset = std::move(preset)});
}

}  // namespace

Station::Station(const Spec& spec, StationRecord record)
    : spec_(spec),
      id_(std::move(record.id)),
      seed_(record.seed),
      owner_(std::make_shared<const StationOwner>(std::move(record.owner))),
      timeline_(wish_of(record.settings, std::move(record.preset)), std::move(record.phrases),
                record.sample_time),
      news_(std::make_shared<Broadcast>(kNews)),
      samples_(std::make_shared<Broadcast>(blocks_in(spec, kSamplesSeconds))),
      writer_({.seed = seed_,
               .sample_rate_hz = spec.sample_rate_hz,
               .block_frames = spec.block_frames,
               .ring_blocks = blocks_in(spec, kRingSeconds),
               .loudness_lufs = spec.loudness_lufs},
              timeline_, *news_),
      channels_(record.heard_at),
      block_(2 * static_cast<std::size_t>(spec.block_frames)) {}

std::shared_ptr<Place> Station::wake(std::shared_ptr<Place> place) {
  return timeline_.move_to(std::move(place));
}

std::shared_ptr<Place> Station::sleep() {
  std::shared_ptr<Place> place = timeline_.move_to(nullptr);
  samples_->forget();
  return place;
}

void Station::end() {
  is_gone_ = true;
  for (const auto& channel : channels_.channels())
    if (channel) channel->sound()->forget();
}

Station::Produced Station::produce(EncodeSeconds& encode_seconds) {
  const std::shared_ptr<Place> place = timeline_.place();
  if (!place) return {};
  Produced made{.has_collected = collect(*place)};
  bool was_heard = false;
  for (const auto& channel : channels_.channels()) {
    if (!channel) continue;
    if (channel->produce(encode_seconds)) made.has_published = true;
    was_heard = was_heard || channel->has_begun();
  }
  writer_.write(place, was_heard);
  return made;
}

/// From the renderer's ring to where every channel finds it.
bool Station::collect(const Place& place) {
  LiveStation* live = place.live();
  if (live == nullptr) return false;
  const std::unique_lock collecting(collecting_, std::try_to_lock);
  if (!collecting) return false;
  bool any = false;
  while (const std::optional<std::int64_t> begin = live->read(block_)) {
    const std::int64_t sample_time = place.begins_at() + *begin;
    if (!timeline_.advance(place, sample_time + spec_.block_frames)) break;
    const auto bytes = std::as_bytes(std::span(block_));
    samples_->publish(
        {.sample_time = sample_time, .due = place.loop().due(), .bytes = {bytes.begin(), bytes.end()}});
    any = true;
  }
  return any;
}

StationInfo Station::change(const music::Settings& settings, const std::string& preset) {
  music::require_valid(settings);
  const auto state = timeline_.wish(wish_of(settings, preset));
  const std::int64_t at = state.applies_at();
  const double seconds = static_cast<double>(std::max<std::int64_t>(0, at - state.sample_time)) /
                         static_cast<double>(spec_.sample_rate_hz);
  news_->publish(news_packet(at, settings_text(settings, preset, at, seconds)));
  return info_of(state);
}

StationInfo Station::info() const {
  return info_of(timeline_.state());
}

StationInfo Station::info_of(const Timeline::State& state) const {
  const Phrase* sounding = state.sounding();
  return {.id = id_,
          .seed = seed_,
          .preset = state.wish->preset,
          .settings = state.wish->settings,
          .is_playing = state.place != nullptr,
          .listeners = channels_.listeners(),
          .sample_time = state.sample_time,
          .phrase = sounding == nullptr ? 0 : sounding->number,
          .applies_at = state.applies_at(),
          .owner = *owner_.get(),
          .heard_at = channels_.heard_at()};
}

StationRecord Station::record() const {
  const Timeline::State state = timeline_.state();
  StationRecord made{.id = id_,
                     .seed = seed_,
                     .preset = state.wish->preset,
                     .settings = state.wish->settings,
                     .sample_time = state.sample_time,
                     .phrases = *state.phrases,
                     .owner = *owner_.get(),
                     .heard_at = channels_.heard_at()};
  // While it sleeps, nothing was heard of the phrases that were composed ahead.
  if (!state.place)
    std::erase_if(made.phrases, [&](const Phrase& phrase) { return phrase.begins_at > state.sample_time; });
  return made;
}

/// What a new listener should know: the phrase that sounds, and what came after it.
std::uint64_t Station::first_news(const Timeline::State& state) const noexcept {
  if (!state.told_phrase) return news_->end();
  return *state.told_phrase > state.sample_time ? state.previous_news : state.newest_news;
}

/// Its first block continues what was collected last.
std::shared_ptr<Channel> Station::make_channel(io::StreamFormat format) const {
  auto samples =
      std::make_unique<Listener>(Listener::Spec{.sound = samples_, .news = nullptr, .packets_behind = 1});
  std::array<PacketPtr, 1> last;
  const std::int64_t first_frame =
      samples->take(last) > 0 ? last[0]->sample_time + spec_.block_frames : timeline_.state().sample_time;
  auto encoder = spec_.make_encoder({.format = format,
                                     .sample_rate_hz = spec_.sample_rate_hz,
                                     .block_frames = spec_.block_frames,
                                     .bitrate = bitrate_of(spec_, format),
                                     .title = id_,
                                     .first_frame = first_frame});
  return std::make_shared<Channel>(
      Channel::Spec{
          .format = format, .block_frames = spec_.block_frames, .history_blocks = spec_.history_blocks},
      std::move(samples), std::move(encoder));
}

std::unique_ptr<Listener> Station::listen(io::StreamFormat format, std::size_t packets_behind,
                                          std::function<void(const Listener&)> left) {
  const auto channel = channels_.join(format, [&] { return make_channel(format); });
  const std::span<const std::byte> header = channel->header();
  return std::make_unique<Listener>(
      Listener::Spec{.sound = channel->sound(),
                     .news = news_,
                     .header = {header.begin(), header.end()},
                     .packets_behind = packets_behind,
                     .first_news = first_news(timeline_.state()),
                     .leave = [this, format, left = std::move(left)](const Listener& leaving) {
                       channels_.leave(format);
                       left(leaving);
                     }});
}

}  // namespace ringwave::stream
