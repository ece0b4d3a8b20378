// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "ringwave/music/conductor.hpp"
#include "ringwave/stream/broadcast.hpp"
#include "ringwave/stream/detail/place.hpp"
#include "ringwave/stream/detail/timeline.hpp"
#include "ringwave/stream/live_station.hpp"

namespace ringwave::stream {

/// Composes what a station plays, a phrase shortly before it begins, so that new settings are in the next
/// one. A phrase that is composed while other settings are wished is thrown away and composed again.
class PhraseWriter {
 public:
  struct Spec {
    std::uint64_t seed = 0;
    int sample_rate_hz = 48000;
    int block_frames = 960;
    int ring_blocks = 64;  ///< rendered, and not yet taken
    double loudness_lufs = -16;
  };

  /// Both outlive it. [setup]
  PhraseWriter(const Spec& spec, Timeline& timeline, Broadcast& news)
      : spec_(spec), timeline_(timeline), news_(news) {}

  /// Composes what is due in a place, and begins to play there where that has not been done. `was_heard`:
  /// somebody hears what was played before, and one block is left out for it to fade in. Nothing where
  /// another thread is at it. [server]
  void write(const std::shared_ptr<Place>& place, bool was_heard);

 private:
  void begin(const std::shared_ptr<Place>& place, bool was_heard);
  [[nodiscard]] std::optional<LiveStation::Phrase> compose(const Place& place, const Timeline::State& now,
                                                           std::int64_t first_frame);

  const Spec spec_;
  Timeline& timeline_;
  Broadcast& news_;
  std::mutex writing_;  // nobody waits for it: it is only tried
  std::optional<music::Conductor> conductor_;
  std::weak_ptr<Place> begun_;  // where the conductor is
};

}  // namespace ringwave::stream
