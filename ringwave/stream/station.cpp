// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/station.hpp"

#include <algorithm>
#include <utility>

#include "ringwave/stream/frame_header.hpp"
#include "ringwave/stream/station_news.hpp"

namespace ringwave::stream {
namespace {

constexpr double kComposeSeconds = 0.5;    // before a phrase begins it is composed
constexpr double kRememberSeconds = 1200;  // what was played, for who wants it as a file
constexpr int kRingBlocks = 16;            // rendered, and not yet encoded
constexpr std::size_t kNews = 16;

std::optional<FrameHeader::Codec> codec_of(io::StreamFormat format) noexcept {
  if (format == io::StreamFormat::pcm) return FrameHeader::Codec::pcm;
  if (format == io::StreamFormat::opus) return FrameHeader::Codec::opus;
  return {};
}

int bitrate_of(const Station::Spec& spec, io::StreamFormat format) noexcept {
  using enum io::StreamFormat;
  if (format == opus || format == ogg_opus) return spec.opus_bitrate;
  return format == mp3 ? spec.mp3_bitrate : 0;
}

std::int64_t unix_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

Station::Station(const Spec& spec, StationRecord record)
    : spec_(spec),
      record_(std::move(record)),
      news_(std::make_shared<Broadcast>(kNews)),
      block_(2 * static_cast<std::size_t>(spec.block_frames)) {
  // One that never was heard, and one that a clock which ran ahead has seen, count from now on.
  const std::int64_t now = unix_seconds();
  if (record_.heard_at == 0 || record_.heard_at > now) record_.heard_at = now;
}

LiveStation& Station::wake(int slot, const synth::Renderer::Spec& renderer) {
  const std::lock_guard lock(mutex_);
  const Phrase* at = phrase_at(record_.phrases, record_.sample_time);
  music::Conductor::Place place{0, record_.sample_time};
  if (at != nullptr && at->settings == record_.settings && record_.sample_time < at->ends_at)
    place = {at->number, at->begins_at};
  else if (at != nullptr)  // other settings need not wait for a phrase that nobody hears
    place.phrase = at->number + 1;
  std::erase_if(record_.phrases, [&](const Phrase& phrase) { return phrase.begins_at >= place.frame; });
  conductor_.emplace(record_.settings, record_.seed, spec_.sample_rate_hz, place);
  woken_at_ = record_.sample_time;
  live_ = std::make_unique<LiveStation>(slot, renderer, kRingBlocks, compose());
  return *live_;
}

std::unique_ptr<LiveStation> Station::sleep() {
  const std::lock_guard lock(mutex_);
  conductor_.reset();
  for (Channel& channel : channels_) {
    channel.is_fresh = true;
    if (channel.broadcast) channel.broadcast->forget();
  }
  // Of the phrases that were composed ahead nothing was heard.
  std::erase_if(record_.phrases,
                [&](const Phrase& phrase) { return phrase.begins_at > record_.sample_time; });
  return std::move(live_);
}

LiveStation* Station::live() const {
  const std::lock_guard lock(mutex_);
  return live_.get();
}

/// The next phrase for the renderer, which it counts from woken_at_ on.
LiveStation::Phrase Station::compose() {
  const Phrase phrase{.number = conductor_->next_phrase_number(),
                      .begins_at = conductor_->next_frame(),
                      .settings = conductor_->settings()};
  std::vector<music::TimedNote> notes = conductor_->next_phrase();
  record_.phrases.push_back(phrase);
  record_.phrases.back().ends_at = conductor_->next_frame();
  const auto remembered = static_cast<std::int64_t>(kRememberSeconds * spec_.sample_rate_hz);
  std::erase_if(record_.phrases,
                [&](const Phrase& old) { return old.ends_at < record_.sample_time - remembered; });
  previous_news_ = std::exchange(newest_news_, news_->end());
  news_->publish({.sample_time = phrase.begins_at,
                  .due = std::chrono::steady_clock::now(),
                  .bytes = bytes_of(phrase_text(record_.phrases.back(), notes))});
  synth::StationEffects effects = synth::effects_of(phrase.settings);
  effects.loudness_lufs = spec_.loudness_lufs;
  return {.begin_frame = std::max<std::int64_t>(0, phrase.begins_at - woken_at_),
          .notes = notes_from(std::move(notes), woken_at_),
          .effects = effects};
}

void Station::compose_ahead() {
  const auto ahead = static_cast<std::int64_t>(kComposeSeconds * spec_.sample_rate_hz);
  while (woken_at_ + live_->clock() + ahead >= conductor_->next_frame())
    if (!live_->offer(std::make_unique<LiveStation::Phrase>(compose()))) return;
}

bool Station::produce(Clock::Time due, EncodeSeconds& encode_seconds) {
  const std::lock_guard lock(mutex_);
  if (!live_) return false;
  compose_ahead();
  bool any = false;
  while (const std::optional<std::int64_t> begin = live_->read(block_)) {
    if (woken_at_ + *begin != record_.sample_time) {  // nobody was in time for what is missing
      record_.sample_time = woken_at_ + *begin;
      for (Channel& channel : channels_) channel.is_fresh = true;
    }
    encode(block_, due, encode_seconds);
    record_.sample_time += spec_.block_frames;
    any = true;
  }
  return any;
}

void Station::encode(std::span<const std::int16_t> block, Clock::Time due, EncodeSeconds& seconds) {
  for (const io::StreamFormat format : io::kStreamFormats) {
    Channel& channel = this->channel(format);
    if (!channel.broadcast) continue;
    const auto begun = std::chrono::steady_clock::now();
    bytes_.clear();
    if (const auto codec = codec_of(format)) {
      const FrameHeader header{.codec = *codec,
                               .flags = channel.is_fresh ? FrameHeader::kDiscontinuous : std::uint16_t{0},
                               .sequence = static_cast<std::uint32_t>(channel.broadcast->end()),
                               .sample_time = static_cast<std::uint64_t>(record_.sample_time)};
      const auto first = header.bytes();
      bytes_.assign(first.begin(), first.end());
    }
    channel.encoder->encode(block, bytes_);
    if (!bytes_.empty()) {
      channel.broadcast->publish({.sample_time = record_.sample_time, .due = due, .bytes = bytes_});
      channel.is_fresh = false;
    }
    seconds[static_cast<std::size_t>(format)].add(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
  }
}

std::int64_t Station::applies_at() const noexcept {
  if (!conductor_ || record_.phrases.empty()) return record_.sample_time;
  return record_.phrases.back().settings == record_.settings ? record_.phrases.back().begins_at
                                                             : conductor_->next_frame();
}

StationInfo Station::change(const music::Settings& settings, const std::string& preset) {
  const std::lock_guard lock(mutex_);
  music::require_valid(settings);
  record_.settings = settings;
  record_.preset = preset;
  if (conductor_) conductor_->change(settings);
  const std::int64_t at = applies_at();
  const double seconds = static_cast<double>(std::max<std::int64_t>(0, at - record_.sample_time)) /
                         static_cast<double>(spec_.sample_rate_hz);
  news_->publish({.sample_time = at,
                  .due = std::chrono::steady_clock::now(),
                  .bytes = bytes_of(settings_text(settings, preset, at, seconds))});
  return info_unlocked();
}

void Station::give_to(const StationOwner& owner) {
  const std::lock_guard lock(mutex_);
  record_.owner = owner;
}

StationInfo Station::info() const {
  const std::lock_guard lock(mutex_);
  return info_unlocked();
}

StationInfo Station::info_unlocked() const {
  const Phrase* at = phrase_at(record_.phrases, record_.sample_time);
  return {.id = record_.id,
          .seed = record_.seed,
          .preset = record_.preset,
          .settings = record_.settings,
          .is_playing = live_ != nullptr,
          .listeners = listeners_,
          .sample_time = record_.sample_time,
          .phrase = at == nullptr ? 0 : at->number,
          .applies_at = applies_at(),
          .owner = record_.owner,
          .heard_at = heard_at()};
}

StationRecord Station::record() const {
  const std::lock_guard lock(mutex_);
  StationRecord record = record_;
  record.heard_at = heard_at();
  return record;
}

std::int64_t Station::heard_at() const {
  return listeners_ > 0 ? unix_seconds() : record_.heard_at;
}

/// What a new listener should know: the phrase that sounds, and what came after it.
std::uint64_t Station::first_news() const noexcept {
  if (!live_) return news_->end();
  return record_.phrases.back().begins_at > record_.sample_time ? previous_news_ : newest_news_;
}

std::unique_ptr<Listener> Station::listen(io::StreamFormat format, std::size_t packets_behind,
                                          std::function<void(const Listener&)> left) {
  const std::lock_guard lock(mutex_);
  Channel& channel = this->channel(format);
  if (!channel.broadcast) {
    channel.encoder = io::make_stream_encoder({.format = format,
                                               .sample_rate_hz = spec_.sample_rate_hz,
                                               .block_frames = spec_.block_frames,
                                               .bitrate = bitrate_of(spec_, format),
                                               .title = record_.id,
                                               .first_frame = record_.sample_time});
    channel.broadcast = std::make_shared<Broadcast>(spec_.history_blocks);
    channel.is_fresh = true;
  }
  const std::span<const std::byte> header = channel.encoder->header();
  auto listener = std::make_unique<Listener>(
      Listener::Spec{.sound = channel.broadcast,
                     .news = news_,
                     .header = {header.begin(), header.end()},
                     .packets_behind = packets_behind,
                     .first_news = first_news(),
                     .leave = [this, format, left = std::move(left)](const Listener& leaving) {
                       leave(format);
                       left(leaving);
                     }});
  ++channel.listeners;
  ++listeners_;
  return listener;
}

void Station::leave(io::StreamFormat format) {
  const std::lock_guard lock(mutex_);
  Channel& channel = this->channel(format);
  if (--channel.listeners == 0) {
    channel.encoder.reset();
    channel.broadcast.reset();
  }
  if (--listeners_ > 0) return;
  lonely_since_ = std::chrono::steady_clock::now();
  record_.heard_at = unix_seconds();
}

int Station::listeners() const {
  const std::lock_guard lock(mutex_);
  return listeners_;
}

std::optional<Station::Time> Station::lonely_since() const {
  const std::lock_guard lock(mutex_);
  if (listeners_ > 0) return {};
  return lonely_since_;
}

}  // namespace ringwave::stream
