// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ringwave/synth/renderer.hpp"

namespace ringwave::realtime {

/// Three notes of each station, of several patches: how they begin, and how they end.
struct StationNotes {
  /// [setup]
  explicit StationNotes(int stations) {
    for (int station = 0; station < stations; ++station)
      for (std::int16_t voice = 0; voice < 3; ++voice) {
        begins.push_back({.station = station,
                          .frame = 17 * voice,
                          .voice = voice,
                          .patch = static_cast<std::uint8_t>((station + voice) % 8)});
        ends.push_back(
            {.station = station, .frame = 5, .voice = voice, .kind = synth::VoiceEvent::Kind::release});
      }
  }

  std::vector<synth::VoiceEvent> begins;
  std::vector<synth::VoiceEvent> ends;
};

}  // namespace ringwave::realtime
