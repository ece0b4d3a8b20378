// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/station_lanes_cpu.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ringwave/synth/station_lanes_cpu.cpp"
#include <hwy/foreach_target.h>  // compiles the part between the two HWY marks once for each instruction set
#include <hwy/highway.h>

#include "ringwave/synth/ceiling_lanes_cpu.hpp"
#include "ringwave/synth/filter_lanes_cpu.hpp"
#include "ringwave/synth/space_lanes_cpu.hpp"
#include "ringwave/synth/turn_lanes_cpu.hpp"

HWY_BEFORE_NAMESPACE();
namespace ringwave::synth::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

static_assert(StationRows::kMost == VoiceLanes::kLanes && kChunkFrames % VoiceLanes::kLanes == 0,
              "rows and tiles are whole vectors");

/// The stations from `base` on.
HWY_INLINE Seats SeatsFrom(const StationRows& rows, std::size_t base) {
  return {rows.stations + base, std::min(rows.count - base, hn::Lanes(FloatTag()))};
}

HWY_INLINE void ToneOfAll(const ToneRule::Rates& rates, StationRows& rows, Frames frames) {
  Tiles tiles;
  for (std::size_t base = 0; base < rows.count; base += hn::Lanes(FloatTag())) {
    TurnBack(rows.left + base, frames.count, tiles.left);
    TurnBack(rows.right + base, frames.count, tiles.right);
    Tone(rates, SeatsFrom(rows, base), frames.first, frames.count, tiles);
    Turn(tiles.left, frames.count, rows.left + base);
    Turn(tiles.right, frames.count, rows.right + base);
  }
}

HWY_INLINE void LoudnessOfAll(const LoudnessRule::Rates& rates, const StationRows& rows,
                              const StationRows::Rows& left, const StationRows::Rows& right,
                              std::size_t frames) {
  Tiles tiles;
  for (std::size_t base = 0; base < rows.count; base += hn::Lanes(FloatTag())) {
    TurnBack(left + base, frames, tiles.left);
    TurnBack(right + base, frames, tiles.right);
    Loudness(rates, SeatsFrom(rows, base), frames, tiles);
  }
}

void ShapeStations(const StationRule::Rates& rates, StationRows& rows, const SpaceRule::Places& places,
                   std::int64_t clock, int count) {
  const Frames frames{static_cast<std::size_t>(clock % kChunkFrames), static_cast<std::size_t>(count)};
  alignas(64) StationRows::Rows left{};
  alignas(64) StationRows::Rows right{};
  ToneOfAll(rates.tone, rows, frames);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const StationRows::Station& station = rows.stations[i];
    if (i + 1 < rows.count) {
      const StationRows::Station& next = rows.stations[i + 1];
      Foresee(rates.space, next.constants->space, next.state->space, places, next.memory);
    }
    std::copy_n(rows.left[i], kChunkFrames, left[i]);
    std::copy_n(rows.right[i], kChunkFrames, right[i]);
    Space(rates.space, station.constants->space, station.state->space, places, station.memory, frames,
          left[i], right[i]);
    Ceiling(rates.ceiling, *station.state, station.memory + rates.space.layout.floats(), clock,
            StationRule::own_clock(*station.constants, clock), frames, left[i], right[i], rows.left[i],
            rows.right[i]);
  }
  LoudnessOfAll(rates.loudness, rows, left, right, frames.count);
}

}  // namespace ringwave::synth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ringwave::synth {
namespace {

/// What lanes compute in vain takes longer than the rules do.
bool are_few(std::size_t stations, int frames) {
  return frames < (stations > 1 ? 4 : 8);
}

HWY_EXPORT(ShapeStations);

void begin(const StationRule::Rates& rates, const StationRows::Station& station, std::int64_t clock) {
  if (clock % kChunkFrames == 0) StationRule::advance(rates, *station.constants, *station.state);
}

void end(const StationRule::Rates& rates, const StationRows::Station& station, std::int64_t clock) {
  if (clock % kChunkFrames != 0) return;
  CeilingRule::advance(rates.ceiling, station.constants->ceiling, station.state->ceiling);
  StationRule::end_hop(rates, *station.constants, *station.state,
                       StationRule::own_clock(*station.constants, clock));
}

}  // namespace

void shape_station(const StationRule::Rates& rates, const StationRows::Station& station,
                   const SpaceRule::Places& places, std::int64_t clock, int frames, float* left,
                   float* right) noexcept {
  const StationRule::Constants& c = *station.constants;
  StationRule::State& state = *station.state;
  float* const memory = station.memory;
  float* const past = memory + rates.space.layout.floats();
  const auto first = static_cast<int>(clock % kChunkFrames);
  begin(rates, station, clock);
  for (int n = 0; n < frames; ++n) {
    const auto now = static_cast<unsigned>(clock + n);
    const StereoFrame dry{ToneRule::step(rates.tone, state.tone[0], first + n, left[n]),
                          ToneRule::step(rates.tone, state.tone[1], first + n, right[n])};
    const SpaceRule::Past rings =
        SpaceRule::look(rates.space, c.space, state.space, places, memory, first + n, n);
    SpaceRule::Fresh fresh;
    const StereoFrame wet = SpaceRule::hear(c.space, state.space, rings, first + n, dry, fresh);
    SpaceRule::listen(rates.space.layout, places, memory, n, dry);
    SpaceRule::write(rates.space.layout, places, memory, n, fresh);
    const float gain =
        state.gain.at(first + n) * LoudnessRule::gain(state.loudness, StationRule::own_clock(c, clock + n));
    CeilingRule::write(past, now, {wet.left * gain, wet.right * gain});
    state.ceiling.peak = std::max(state.ceiling.peak, CeilingRule::true_peak(rates.ceiling, past, now));
    const StereoFrame heard = CeilingRule::heard(state.ceiling, CeilingRule::late(past, now), now);
    left[n] = heard.left;
    right[n] = heard.right;
    LoudnessRule::step(rates.loudness, state.sides[0], wet.left);
    LoudnessRule::step(rates.loudness, state.sides[1], wet.right);
  }
  end(rates, station, clock + frames);
}

void shape_stations(const StationRule::Rates& rates, StationRows& rows, const SpaceRule::Places& places,
                    std::int64_t clock, int frames) noexcept {
  if (are_few(rows.count, frames)) {
    for (std::size_t i = 0; i < rows.count; ++i)
      shape_station(rates, rows.stations[i], places, clock, frames, rows.left[i], rows.right[i]);
    return;
  }
  for (std::size_t i = 0; i < rows.count; ++i) begin(rates, rows.stations[i], clock);
  HWY_DYNAMIC_DISPATCH(ShapeStations)(rates, rows, places, clock, frames);
  for (std::size_t i = 0; i < rows.count; ++i) end(rates, rows.stations[i], clock + frames);
}

}  // namespace ringwave::synth
#endif
