// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/synth/lane_group.hpp"
#include "ringwave/synth/render_header.hpp"
#include "ringwave/synth/station_math.hpp"

namespace ringwave::synth {

/// Bass and treble of one station, by a group of lanes: half of them have the left side, half the right. What
/// goes from frame to frame every lane does for all frames of its side, and keeps those of its own.
class TonePass {
 public:
  RW_HOST_DEVICE TonePass(const LaneGroup& group, const ToneRule::Rates& rates,
                          const StationRule::Constants& constants, const StationRule::State& kept)
      : group_(group), rates_(rates), constants_(constants.tone), start_frame_(constants.start_frame) {
    for (int i = 0; i < kSides; ++i) states_[i] = kept.tone[side_of(i)];
  }

  /// Some frames of a chunk. `bus` begins at the first of them.
  RW_HOST_DEVICE void run(std::int64_t clock, int count, BusFrame* bus) {
    if (clock < start_frame_) return;
    for (int i = 0; i < kSides; ++i)
      run(static_cast<int>(clock % kChunkFrames), count, states_[i],
          reinterpret_cast<float*>(bus) + side_of(i));
  }

  /// What the next block goes on with.
  RW_HOST_DEVICE void finish(StationRule::State& kept) const {
    if (own() != 0) return;
    for (int i = 0; i < kSides; ++i) kept.tone[side_of(i)] = states_[i];
  }

 private:
  static constexpr int kSides = LaneGroup::width() == 1 ? 2 : 1;                       // of a lane
  static constexpr int kLanes = LaneGroup::width() == 1 ? 1 : LaneGroup::width() / 2;  // of a side
  static constexpr int kOwn = kChunkFrames / kLanes;                                   // frames of a lane

  [[nodiscard]] RW_HOST_DEVICE int side_of(int i) const { return kSides == 1 ? group_.lane / kLanes : i; }
  [[nodiscard]] RW_HOST_DEVICE int own() const { return group_.lane % kLanes; }

  RW_HOST_DEVICE void run(int in_chunk, int count, ToneRule::State& state, float* row) const {
    if (in_chunk == 0) ToneRule::advance(rates_, constants_, state);
    float mine[kOwn] = {};
    for (int i = 0; i < kOwn; ++i)
      if (own() + i * kLanes < count) mine[i] = row[2 * (own() + i * kLanes)];
    if (count == kChunkFrames)
      do_frames<true>(state, 0, count, mine);
    else
      do_frames<false>(state, in_chunk, count, mine);
    for (int i = 0; i < kOwn; ++i)
      if (own() + i * kLanes < count) row[2 * (own() + i * kLanes)] = mine[i];
  }

  /// Of a whole chunk nothing is asked before a frame.
  template <bool kWhole>
  RW_HOST_DEVICE void do_frames(ToneRule::State& state, int in_chunk, int count, float (&mine)[kOwn]) const {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int i = 0; i < kOwn; ++i) {
      float done = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
      for (int n = 0; n < kLanes; ++n) {
        const int frame = i * kLanes + n;
        if (!kWhole && frame >= count) break;
        const float x = group_.from(mine[i], (kSides == 1 ? group_.lane / kLanes * kLanes : 0) + n);
        const float y = ToneRule::step(rates_, state, (kWhole ? 0 : in_chunk) + frame, x);
        if (n == own()) done = y;
      }
      mine[i] = done;
    }
  }

  LaneGroup group_;
  ToneRule::Rates rates_;
  ToneRule::Constants constants_;
  std::int64_t start_frame_;
  ToneRule::State states_[kSides];
};

/// Chorus, echo, room, gain and ceiling of one station, a lane a frame of a chunk. `bus` and `store` begin at
/// the station's first frame of the block; the bus keeps what is measured for the loudness.
///
///   prepare(int first, int count)   before the lanes read these frames of the bus
///   store(int frame, StereoFrame heard, std::uint32_t clock, bool is_on)
template <class Prepare, class Store>
RW_HOST_DEVICE inline void shape_station(const LaneGroup& group, const StationRule::Rates& rates,
                                         const RenderHeader& header, bool plays,
                                         const StationRule::Constants& constants, StationRule::State& kept,
                                         float* memory, BusFrame* bus, const Prepare& prepare,
                                         const Store& store) {
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
    prepare(first, count);
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
