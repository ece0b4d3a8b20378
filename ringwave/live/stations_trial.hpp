// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "ringwave/backend/workload.hpp"
#include "ringwave/live/live_stations.hpp"

namespace ringwave::live {

/// Live stations, prepared in one way: eight pads each that never end, with every effect.
class StationsTrial final : public backend::Trial {
 public:
  /// With a deadline that no machine misses: a measurement that is late is still one. [setup]
  StationsTrial(Device device, Way way, int frames, int stations)
      : stations_(device, {.stations = stations,
                           .voices = kVoices,
                           .max_block_frames = frames,
                           .way = way,
                           .deadline = std::chrono::seconds{2}}),
        frames_(frames) {
    std::vector<synth::VoiceEvent> events;
    for (int station = 0; station < stations; ++station) {
      (void)stations_.start(station, {});
      for (int voice = 0; voice < kVoices; ++voice)
        events.push_back({.station = station,
                          .voice = static_cast<std::int16_t>(voice),
                          .key = 40.0F + 3 * static_cast<float>(voice)});
    }
    (void)stations_.process(events, frames_);
  }

  Status run() noexcept override { return stations_.process({}, frames_); }

 private:
  static constexpr int kVoices = 8;

  LiveStations stations_;
  int frames_;
};

}  // namespace ringwave::live
