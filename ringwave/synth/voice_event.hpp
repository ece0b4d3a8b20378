// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ringwave::synth {

/// What happens to a voice of a station, at a frame of a block.
struct VoiceEvent {
  enum class Kind : std::uint8_t {
    begin,    ///< a note
    release,  ///< it is let go
    fade,     ///< it is taken away for another
    bend,     ///< it moves to another key
  };

  std::int32_t station = 0;
  std::int32_t frame = 0;  ///< from the beginning of the block
  std::int16_t voice = 0;  ///< of the station
  Kind kind = Kind::begin;
  std::uint8_t patch = 0;  ///< of the renderer's
  float key = 60;          ///< semitones, of begin and bend
  float velocity = 1;      ///< 0 to 1
  float pan = 0;           ///< -1 to 1
  std::uint32_t seed = 1;  ///< of its noise and of where its waves begin
};

}  // namespace ringwave::synth
