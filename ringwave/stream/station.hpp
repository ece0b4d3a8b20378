// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ringwave/io/stream_encoder.hpp"
#include "ringwave/stream/broadcast.hpp"
#include "ringwave/stream/detail/phrase_writer.hpp"
#include "ringwave/stream/detail/place.hpp"
#include "ringwave/stream/detail/published.hpp"
#include "ringwave/stream/detail/station_channels.hpp"
#include "ringwave/stream/detail/timeline.hpp"
#include "ringwave/stream/listener.hpp"
#include "ringwave/stream/station_owner.hpp"
#include "ringwave/stream/station_record.hpp"
#include "ringwave/stream/studio.hpp"

namespace ringwave::stream {

/// One music, its place in time, and its broadcasts. Any thread of the server may call it, and none waits for
/// another: what they share are immutable values, and the work on a station is done in parts, each by whoever
/// comes first.
///
///   PhraseWriter  composes                 |
///   collect()     rendered blocks ->       |-- each by one thread at a time; who finds it busy goes on
///   Channel       samples -> each format   |
class Station {
 public:
  struct Spec {
    int sample_rate_hz = 48000;
    int block_frames = 960;
    std::size_t history_blocks = 200;
    double loudness_lufs = -16;
    int opus_bitrate = 96000;
    int mp3_bitrate = 192000;
    Studio::MakeEncoder make_encoder = io::make_stream_encoder;
  };

  Station(const Spec& spec, StationRecord record);

  [[nodiscard]] const std::string& id() const noexcept { return id_; }

  /// Plays in a place from now on; the place where it did. It is produce() that composes and begins. [server]
  std::shared_ptr<Place> wake(std::shared_ptr<Place> place);
  /// Plays no more; the place where it did. [server]
  std::shared_ptr<Place> sleep();
  /// It was removed: who listens hears no more of it, and nobody wakes it again. [server]
  void end();
  [[nodiscard]] bool is_gone() const noexcept { return is_gone_; }
  /// Where it plays; null where it sleeps. [server]
  [[nodiscard]] std::shared_ptr<Place> place() const { return timeline_.place(); }

  struct Produced {
    bool has_collected = false;  ///< blocks that were rendered; one thread does for each
    bool has_published = false;  ///< packets for listeners
  };
  /// Composes what is due, and encodes and publishes what was rendered, as far as no other thread is at it.
  /// [server]
  Produced produce(EncodeSeconds& encode_seconds);

  /// [server]
  StationInfo change(const music::Settings& settings, const std::string& preset);
  void give_to(const StationOwner& owner) { owner_.set(std::make_shared<const StationOwner>(owner)); }
  [[nodiscard]] StationInfo info() const;
  [[nodiscard]] StationRecord record() const;

  /// A listener of a format, `packets_behind` packets before the newest. `left` is called when it leaves, and
  /// keeps the station alive until then. [server]
  [[nodiscard]] std::unique_ptr<Listener> listen(io::StreamFormat format, std::size_t packets_behind,
                                                 std::function<void(const Listener&)> left);
  [[nodiscard]] int listeners() const { return channels_.listeners(); }
  /// Since when nobody listens; nothing where somebody does. [server]
  [[nodiscard]] std::optional<StationChannels::Time> lonely_since() const { return channels_.lonely_since(); }

 private:
  [[nodiscard]] bool collect(const Place& place);
  [[nodiscard]] std::shared_ptr<Channel> make_channel(io::StreamFormat format) const;
  [[nodiscard]] StationInfo info_of(const Timeline::State& state) const;
  [[nodiscard]] std::uint64_t first_news(const Timeline::State& state) const noexcept;

  const Spec spec_;
  const std::string id_;
  const std::uint64_t seed_;
  Published<StationOwner> owner_;
  Timeline timeline_;
  const std::shared_ptr<Broadcast> news_;
  const std::shared_ptr<Broadcast> samples_;
  PhraseWriter writer_;
  StationChannels channels_;
  std::mutex collecting_;  // nobody waits for it: it is only tried
  std::vector<std::int16_t> block_;
  std::atomic<bool> is_gone_{false};
};

}  // namespace ringwave::stream
