// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ringwave/core/realtime.hpp"
#include "ringwave/synth/station_math.hpp"

namespace ringwave::synth {

/// Stations whose effects are at work together, each with a row of a chunk for either side: the sum of its
/// voices comes in, what is heard comes out.
struct alignas(64) StationRows {
  static constexpr std::size_t kMost = 16;
  using Rows = float[kMost][kChunkFrames];

  struct Station {
    const StationRule::Constants* constants = nullptr;
    StationRule::State* state = nullptr;
    float* memory = nullptr;  ///< StationRule::floats()
  };

  Rows left{};
  Rows right{};
  Station stations[kMost]{};
  std::size_t count = 0;
};

/// From the sum of the voices to what is heard, of one station, by the rules and frame by frame: the truth
/// that shape_stations() is tested against. [audio]
RW_REALTIME void shape_station(const StationRule::Rates& rates, const StationRows::Station& station,
                               const SpaceRule::Places& places, std::int64_t clock, int frames, float* left,
                               float* right) noexcept;

/// Up to kChunkFrames frames of all stations, from frame `clock` on, whose places are `places`; no multiple
/// of kChunkFrames lies within them. Where no frame waits for another one the frames of a station lie in the
/// lanes, elsewhere the stations: the same operations on the same numbers in the same order as the rules',
/// hence the same bits. The subnormals should be flushed as FlushSubnormals does, or not, in both. [audio]
RW_REALTIME void shape_stations(const StationRule::Rates& rates, StationRows& rows,
                                const SpaceRule::Places& places, std::int64_t clock, int frames) noexcept;

}  // namespace ringwave::synth
