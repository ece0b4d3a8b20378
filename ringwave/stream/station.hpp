// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ringwave/core/clock.hpp"
#include "ringwave/io/stream_encoder.hpp"
#include "ringwave/music/conductor.hpp"
#include "ringwave/stream/broadcast.hpp"
#include "ringwave/stream/histogram.hpp"
#include "ringwave/stream/listener.hpp"
#include "ringwave/stream/live_station.hpp"
#include "ringwave/stream/station_record.hpp"
#include "ringwave/stream/studio.hpp"

namespace ringwave::stream {

/// One music, its place in time, and its broadcasts. It composes a phrase shortly before it is played, so
/// that new settings are in the next one. Any thread of the server may call it; one at a time is inside.
class Station {
 public:
  using Time = std::chrono::steady_clock::time_point;
  struct Spec {
    int sample_rate_hz = 48000;
    int block_frames = 960;
    std::size_t history_blocks = 200;
    double loudness_lufs = -16;
    int opus_bitrate = 96000;
    int mp3_bitrate = 192000;
  };
  using EncodeSeconds = std::array<Histogram, io::kStreamFormats.size()>;

  Station(const Spec& spec, StationRecord record);

  /// Starts to play in a slot of a renderer: what is to be rendered from now on. Throws OutOfMemory. [server]
  LiveStation& wake(int slot, const synth::Renderer::Spec& renderer);
  /// Gives up what plays, which the renderer may still be at: the owner keeps it until it has ended. [server]
  [[nodiscard]] std::unique_ptr<LiveStation> sleep();
  /// [server]
  [[nodiscard]] LiveStation* live() const;

  /// Composes what is due, and encodes and publishes what was rendered; true where there was something.
  /// [server]
  bool produce(Clock::Time due, EncodeSeconds& encode_seconds);

  /// [server]
  StationInfo change(const music::Settings& settings, const std::string& preset);
  void give_to(const StationOwner& owner);
  [[nodiscard]] StationInfo info() const;
  [[nodiscard]] StationRecord record() const;

  /// A listener of a format, `packets_behind` packets before the newest. `left` is called when it leaves, and
  /// keeps the station alive until then. [server]
  [[nodiscard]] std::unique_ptr<Listener> listen(io::StreamFormat format, std::size_t packets_behind,
                                                 std::function<void(const Listener&)> left);
  [[nodiscard]] int listeners() const;
  /// Since when nobody listens; nothing where somebody does. [server]
  [[nodiscard]] std::optional<Time> lonely_since() const;

 private:
  struct Channel {
    std::shared_ptr<Broadcast> broadcast;
    std::unique_ptr<io::StreamEncoder> encoder;
    int listeners = 0;
    bool is_fresh = true;  ///< nothing of it continues what was before
  };

  [[nodiscard]] LiveStation::Phrase compose();
  void compose_ahead();
  void encode(std::span<const std::int16_t> block, Clock::Time due, EncodeSeconds& seconds);
  void leave(io::StreamFormat format);
  [[nodiscard]] Channel& channel(io::StreamFormat format) {
    return channels_[static_cast<std::size_t>(format)];
  }
  [[nodiscard]] std::int64_t applies_at() const noexcept;
  [[nodiscard]] std::uint64_t first_news() const noexcept;
  [[nodiscard]] StationInfo info_unlocked() const;
  [[nodiscard]] std::int64_t heard_at() const;

  const Spec spec_;
  mutable std::mutex mutex_;
  StationRecord record_;
  std::optional<music::Conductor> conductor_;  // while it plays, in sample time
  std::unique_ptr<LiveStation> live_;
  std::int64_t woken_at_ = 0;  // sample time of the live station's first frame
  std::shared_ptr<Broadcast> news_;
  std::uint64_t newest_news_ = 0;    // sequence of the phrase that was composed last
  std::uint64_t previous_news_ = 0;  // and of the one before
  std::array<Channel, io::kStreamFormats.size()> channels_;
  std::vector<std::int16_t> block_;
  std::vector<std::byte> bytes_;
  int listeners_ = 0;
  Time lonely_since_ = std::chrono::steady_clock::now();
};

}  // namespace ringwave::stream
