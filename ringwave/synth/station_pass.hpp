// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/synth/lane_group.hpp"
#include "ringwave/synth/render_header.hpp"
#include "ringwave/synth/station_math.hpp"

namespace ringwave::synth {

/// Bass and treble of one station, by a group of lanes. `bus` begins at the station's first frame of the
/// block.
///
/// What goes from frame to frame every lane does for one side: half of them for the left, half for the right.
RW_HOST_DEVICE inline void tone_station(const LaneGroup& group, const ToneRule::Rates& rates,
                                        const RenderHeader& header, const StationRule::Constants& constants,
                                        StationRule::State& kept, BusFrame* bus) {
  constexpr int kWidth = LaneGroup::width();
  constexpr int kSides = kWidth == 1 ? 2 : 1;  // of a lane
  constexpr int kHalf = kWidth == 1 ? 1 : kWidth / 2;
  const ToneRule::Rates tone_rates = rates;
  const ToneRule::Constants tone = constants.tone;
  for (int turn = 0; turn < kSides; ++turn) {
    const int side = kWidth == 1 ? turn : group.lane / kHalf;
    const int own = group.lane % kHalf;
    auto* const row = reinterpret_cast<float*>(bus) + side;
    ToneRule::State state = kept.tone[side];
    int count = 0;
    for (int first = 0; first < header.frames; first += count) {
      const std::int64_t now = header.clock + first;
      const auto in_chunk = static_cast<int>(now % kChunkFrames);
      const int rest = header.frames - first;
      count = kChunkFrames - in_chunk < rest ? kChunkFrames - in_chunk : rest;
      if (now < constants.start_frame) continue;
      if (in_chunk == 0) ToneRule::advance(tone_rates, tone, state);
      // A lane has the first of these, and kHalf apart the others.
      constexpr int kOwn = kChunkFrames / kHalf;
      float mine[kOwn] = {};
      for (int i = 0; i < kOwn; ++i)
        if (own + i * kHalf < count) mine[i] = row[2 * (first + own + i * kHalf)];
      for (int i = 0; i < kOwn; ++i) {
        float done = mine[i];
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
        for (int n = 0; n < kHalf; ++n) {
          if (i * kHalf + n >= count) break;
          const float y = ToneRule::step(tone_rates, state, in_chunk + i * kHalf + n,
                                         group.from(mine[i], side * kHalf + n));
          if (n == own) done = y;
        }
        if (own + i * kHalf < count) row[2 * (first + own + i * kHalf)] = done;
      }
    }
    if (own == 0) kept.tone[side] = state;
  }
}

/// Chorus, echo, room, gain and ceiling of one station, a lane a frame of a chunk. `bus` and `store` begin at
/// the station's first frame of the block; the bus keeps what is measured for the loudness.
///
///   store(int frame, StereoFrame heard, std::uint32_t clock, bool is_on)
template <class Store>
RW_HOST_DEVICE inline void shape_station(const LaneGroup& group, const StationRule::Rates& rates,
                                         const RenderHeader& header, bool plays,
                                         const StationRule::Constants& constants, StationRule::State& kept,
                                         float* memory, BusFrame* bus, const Store& store) {
  const int lane = group.lane;
  const SpaceRule::Constants space_constants = constants.space;
  SpaceRule::State space = kept.space;
  CeilingRule::State ceiling = kept.ceiling;
  Knob gain = kept.gain;
  const SpaceRule::Layout& layout = rates.space.layout;
  float* const past = memory + layout.floats();
  SpaceRule::Places places = header.places;
  int count = 0;
  for (int first = 0; first < header.frames; first += count) {
    const std::int64_t now = header.clock + first;
    const int in_chunk = static_cast<int>(now % kChunkFrames);
    const int rest = header.frames - first;
    count = kChunkFrames - in_chunk < rest ? kChunkFrames - in_chunk : rest;
    if constexpr (LaneGroup::width() < kChunkFrames)
      count = count < LaneGroup::width() ? count : LaneGroup::width();
    const int frame = in_chunk + lane;
    const auto clock = static_cast<unsigned>(now) + static_cast<unsigned>(lane);
    const unsigned own = StationRule::own_clock(constants, now);
    const bool is_on = plays && now >= constants.start_frame;
    const bool works = is_on && lane < count;
    StereoFrame heard{};
    if (is_on) {
      if (in_chunk == 0) {
        SpaceRule::advance(rates.space, space_constants, space);
        gain.advance(constants.gain, rates.glide);
      }
      StereoFrame dry{};
      if (works) {
        const BusFrame x = bus[first + lane];
        dry = {x.left, x.right};
        SpaceRule::listen(layout, places, memory, lane, dry);
      }
      group.sync();
      SpaceRule::Fresh fresh;
      StereoFrame wet{};
      if (works)
        wet = SpaceRule::read(rates.space, space_constants, space, places, memory, frame, lane, dry, fresh);
      group.sync();
      float peak = 0;
      if (works) {
        SpaceRule::write(layout, places, memory, lane, fresh);
        bus[first + lane] = {wet.left, wet.right};
        const float level =
            gain.at(frame) * LoudnessRule::gain(kept.loudness, own + static_cast<unsigned>(lane));
        CeilingRule::write(past, clock, {wet.left * level, wet.right * level});
      }
      group.sync();
      if (works) {
        peak = CeilingRule::true_peak(rates.ceiling, past, clock);
        heard = CeilingRule::read(ceiling, past, clock);
      }
      peak = group.largest(peak);
      ceiling.peak = peak > ceiling.peak ? peak : ceiling.peak;
      if (in_chunk + count == kChunkFrames) CeilingRule::advance(rates.ceiling, constants.ceiling, ceiling);
    }
    if (lane < count) store(first + lane, heard, clock, is_on);
    places.advance(layout, count);
  }
  if (lane == 0) {
    kept.space = space;
    kept.ceiling = ceiling;
    kept.gain = gain;
  }
}

}  // namespace ringwave::synth
