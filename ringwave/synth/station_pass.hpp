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

  /// Some frames of a chunk, onto the bus, which begins at the first of them. Lanes that have a frame each
  /// bring it along; one alone finds all of them there.
  RW_HOST_DEVICE void run(std::int64_t clock, int count, BusFrame brought, BusFrame* bus) {
    if (clock < start_frame_) return;
    for (int i = 0; i < kSides; ++i)
      run(static_cast<int>(clock % kChunkFrames), count, states_[i], brought,
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

  RW_HOST_DEVICE void run(int in_chunk, int count, ToneRule::State& state, BusFrame brought,
                          float* row) const {
    if (in_chunk == 0) ToneRule::advance(rates_, constants_, state);
    float mine[kOwn] = {};
    for (int i = 0; i < kOwn; ++i) {
      const int frame = own() + i * kLanes;
      if constexpr (kSides == 1) {
        const float left = group_.from(brought.left, frame);
        const float right = group_.from(brought.right, frame);
        mine[i] = side_of(0) == 0 ? left : right;
      } else if (frame < count) {
        mine[i] = row[2 * frame];
      }
    }
    if (count == kChunkFrames)
      do_frames<true>(state, 0, count, mine);
    else
      do_frames<false>(state, in_chunk, count, mine);
    for (int i = 0; i < kOwn; ++i)
      if (own() + i * kLanes < count) row[2 * (own() + i * kLanes)] = mine[i];
  }

  /// Of a whole chunk nothing is asked before a frame. Few frames are written out: a warp alone waits for
  /// instructions that it has not run lately. The treble is kLanes frames behind the bass: neither waits for
  /// the other.
  template <bool kWhole>
  RW_HOST_DEVICE void do_frames(ToneRule::State& state, int in_chunk, int count, float (&mine)[kOwn]) const {
    const int first = kSides == 1 ? group_.lane / kLanes * kLanes : 0;  // lane of the side
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int i = 0; i <= kOwn; ++i) {
      float bass = 0;
      float treble = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll(kWhole ? 4 : 1)
#endif
      for (int n = 0; n < kLanes; ++n) {
        const int frame = i * kLanes + n;
        if (i < kOwn && (kWhole || frame < count)) {
          const float low = ToneRule::low_pass(rates_.bass, state.low, group_.from(mine[i], first + n));
          if (n == own()) bass = low;
        }
        if (i > 0 && (kWhole || frame - kLanes < count)) {
          const float low =
              ToneRule::low_pass(rates_.treble, state.low_of_treble, group_.from(mine[i - 1], first + n));
          if (n == own()) treble = low;
        }
      }
      const int frame = in_chunk + i * kLanes + own();
      if (i > 0) mine[i - 1] = ToneRule::with_treble(state, frame - kLanes, mine[i - 1], treble);
      if (i < kOwn) mine[i] = ToneRule::with_bass(state, frame, mine[i], bass);
    }
  }

  LaneGroup group_;
  ToneRule::Rates rates_;
  ToneRule::Constants constants_;
  std::int64_t start_frame_;
  ToneRule::State states_[kSides];
};

/// Frames of the chunk at `clock`, of the `rest` of a block.
[[nodiscard]] RW_HOST_DEVICE inline int frames_of_chunk(std::int64_t clock, int rest) {
  const int in_chunk = static_cast<int>(clock % kChunkFrames);
  return kChunkFrames - in_chunk < rest ? kChunkFrames - in_chunk : rest;
}

/// Chorus, echo and room of one station, by a group of lanes: a lane a frame of a chunk. What the rings have
/// for a chunk was written before it: so it is asked for before the frames themselves are there. The rates
/// are read again and again: they had better lie near.
class SpacePass {
 public:
  RW_HOST_DEVICE SpacePass(const LaneGroup& group, const SpaceRule::Rates& rates,
                           const StationRule::Constants& constants, const StationRule::State& kept,
                           const SpaceRule::Places& places, float* memory)
      : group_(group),
        rates_(rates),
        constants_(constants.space),
        state_(kept.space),
        places_(places),
        memory_(memory) {}

  /// From the station's first frame on, before each run(): where that begins.
  RW_HOST_DEVICE void look_ahead(std::int64_t clock) {
    in_chunk_ = static_cast<int>(clock % kChunkFrames);
    if (in_chunk_ == 0) SpaceRule::advance(rates_, constants_, state_);
    look(group_.lane);
  }

  /// Some frames of a chunk. `bus` begins at the first of them; `done()` is called when they are there, by
  /// lanes that have a frame each before they write what it leaves.
  template <class Done>
  RW_HOST_DEVICE void run(int count, BusFrame* bus, const Done& done) {
    if constexpr (LaneGroup::width() == kChunkFrames) {
      run_frame(group_.lane, count, bus, done);
    } else {
      run_frame(group_.lane, count, bus, [] {});
      for (int n = group_.lane + LaneGroup::width(); n < count; n += LaneGroup::width()) {
        look(n);
        run_frame(n, count, bus, [] {});
      }
      done();
    }
    skip(count);
  }

  /// Some frames before the station's first.
  RW_HOST_DEVICE void skip(int count) { places_.advance(rates_.layout, count); }

  /// What the next block goes on with.
  RW_HOST_DEVICE void finish(StationRule::State& kept) const {
    if (group_.lane == 0) kept.space = state_;
  }

 private:
  /// Lanes beyond the last frame look as well, at what is not needed.
  RW_HOST_DEVICE void look(int n) {
    past_ = SpaceRule::look(rates_, constants_, state_, places_, memory_, in_chunk_ + n, n);
  }

  template <class Done>
  RW_HOST_DEVICE void run_frame(int n, int count, BusFrame* bus, const Done& done) {
    SpaceRule::Fresh fresh;
    StereoFrame dry{};
    if (n < count) {
      dry = {bus[n].left, bus[n].right};
      const StereoFrame wet = SpaceRule::hear(constants_, state_, past_, in_chunk_ + n, dry, fresh);
      bus[n] = {wet.left, wet.right};
    }
    done();
    group_.sync();  // all have looked
    if (n < count) {
      SpaceRule::listen(rates_.layout, places_, memory_, n, dry);
      SpaceRule::write(rates_.layout, places_, memory_, n, fresh);
    }
    group_.sync();
  }

  LaneGroup group_;
  const SpaceRule::Rates& rates_;
  SpaceRule::Constants constants_;
  SpaceRule::State state_;
  SpaceRule::Places places_;
  float* memory_;
  int in_chunk_ = 0;
  SpaceRule::Past past_{};
};

/// Gain and ceiling of one station, by a group of lanes: a lane a frame of a chunk. As for the rates, see
/// SpacePass.
class CeilingPass {
 public:
  /// `past` is what CeilingRule writes.
  RW_HOST_DEVICE CeilingPass(const LaneGroup& group, const CeilingRule::Rates& rates, float glide,
                             const StationRule::Constants& constants, const StationRule::State& kept,
                             float* past)
      : group_(group),
        rates_(rates),
        glide_(glide),
        constants_(constants.ceiling),
        gain_constant_(constants.gain),
        start_(static_cast<unsigned>(constants.start_frame)),
        loudness_(kept.loudness),
        state_(kept.ceiling),
        gain_(kept.gain),
        past_(past) {}

  /// From the station's first frame on, before each take(): where that begins.
  RW_HOST_DEVICE void look_ahead(std::int64_t clock) {
    clock_ = static_cast<unsigned>(clock);
    if (clock_ % kChunkFrames == 0) gain_.advance(gain_constant_, glide_);
    level_ = level_of(group_.lane);
  }

  /// Some frames of a chunk. `bus` begins at the first of them.
  RW_HOST_DEVICE void take(int count, const BusFrame* bus) {
    take_frame(group_.lane, count, level_, bus);
    if constexpr (LaneGroup::width() < kChunkFrames)
      for (int n = group_.lane + LaneGroup::width(); n < count; n += LaneGroup::width())
        take_frame(n, count, level_of(n), bus);
    if ((clock_ + static_cast<unsigned>(count)) % kChunkFrames == 0)
      CeilingRule::advance(rates_, constants_, state_);
  }

  /// Before each give(): where that begins, which may be before the station's first frame.
  RW_HOST_DEVICE void listen(std::int64_t clock) {
    heard_ = static_cast<unsigned>(clock);
    late_ = late_of(group_.lane);
  }

  /// What is heard at some frames of a chunk. It depends on the chunks before alone: they are taken, the
  /// frames themselves need not be there.
  ///
  ///   store(int frame, StereoFrame heard, std::uint32_t clock, bool is_on)
  template <class Store>
  RW_HOST_DEVICE void give(int count, const Store& store) const {
    give_frame(group_.lane, count, late_, store);
    if constexpr (LaneGroup::width() < kChunkFrames)
      for (int n = group_.lane + LaneGroup::width(); n < count; n += LaneGroup::width())
        give_frame(n, count, late_of(n), store);
  }

  /// Some frames of a station that does not play.
  template <class Store>
  RW_HOST_DEVICE static void skip(const LaneGroup& group, std::int64_t clock, int count, const Store& store) {
    const auto at = static_cast<unsigned>(clock);
    if (group.lane < count) store(group.lane, StereoFrame{}, at + static_cast<unsigned>(group.lane), false);
    if constexpr (LaneGroup::width() < kChunkFrames)
      for (int n = group.lane + LaneGroup::width(); n < count; n += LaneGroup::width())
        store(n, StereoFrame{}, at + static_cast<unsigned>(n), false);
  }

  /// What the next block goes on with.
  RW_HOST_DEVICE void finish(StationRule::State& kept) const {
    if (group_.lane != 0) return;
    kept.ceiling = state_;
    kept.gain = gain_;
  }

 private:
  [[nodiscard]] RW_HOST_DEVICE float level_of(int n) const {
    return gain_.at(static_cast<int>(clock_ % kChunkFrames) + n) *
           LoudnessRule::gain(loudness_, clock_ + static_cast<unsigned>(n) - start_);
  }

  [[nodiscard]] RW_HOST_DEVICE StereoFrame late_of(int n) const {
    return CeilingRule::late(past_, heard_ + static_cast<unsigned>(n));
  }

  RW_HOST_DEVICE void take_frame(int n, int count, float level, const BusFrame* bus) {
    const unsigned clock = clock_ + static_cast<unsigned>(n);
    if (n < count) {
      const BusFrame x = bus[n];
      CeilingRule::write(past_, clock, {x.left * level, x.right * level});
    }
    group_.sync();
    const float peak = group_.largest(n < count ? CeilingRule::true_peak(rates_, past_, clock) : 0.0F);
    state_.peak = peak > state_.peak ? peak : state_.peak;
  }

  template <class Store>
  RW_HOST_DEVICE void give_frame(int n, int count, StereoFrame late, const Store& store) const {
    const unsigned clock = heard_ + static_cast<unsigned>(n);
    if (n < count) store(n, CeilingRule::heard(state_, late, clock), clock, true);
  }

  LaneGroup group_;
  const CeilingRule::Rates& rates_;
  float glide_;
  CeilingRule::Constants constants_;
  float gain_constant_;
  unsigned start_;
  const LoudnessRule::State& loudness_;
  CeilingRule::State state_;
  Knob gain_;
  float* past_;
  unsigned clock_ = 0;
  unsigned heard_ = 0;
  StereoFrame late_{};
  float level_ = 0;
};

/// How loud one station is, by a group of lanes: half of them have the left side, half the right. They do the
/// same for all frames, one after the other.
class LoudnessPass {
 public:
  RW_HOST_DEVICE LoudnessPass(const LaneGroup& group, const LoudnessRule::Rates& rates,
                              const StationRule::Constants& constants, const StationRule::State& kept)
      : group_(group),
        rates_(rates),
        gains_(rates),
        constants_(constants.loudness),
        start_frame_(constants.start_frame) {
    for (int i = 0; i < kSides; ++i) sides_[i] = kept.sides[side_of(i)];
  }

  /// The frames of a block, on the bus after the space, and what the next block goes on with.
  RW_HOST_DEVICE void run(std::int64_t clock, int frames, const BusFrame* bus, StationRule::State& kept) {
    int count = 0;
    for (int n = start_frame_ > clock ? static_cast<int>(start_frame_ - clock) : 0; n < frames; n += count) {
      const auto own = static_cast<unsigned>(clock + n) - static_cast<unsigned>(start_frame_);
      const int to_end = LoudnessRule::kHopFrames - static_cast<int>(own % LoudnessRule::kHopFrames);
      count = to_end < frames - n ? to_end : frames - n;
      for (int i = 0; i < kSides; ++i)
        run(sides_[i], count, reinterpret_cast<const float*>(bus + n) + side_of(i));
      if (count == to_end) end_hop(own / LoudnessRule::kHopFrames, kept.loudness);
    }
    if (group_.lane % kLanes != 0) return;
    for (int i = 0; i < kSides; ++i) kept.sides[side_of(i)] = sides_[i];
  }

 private:
  static constexpr int kSides = LaneGroup::width() == 1 ? 2 : 1;                       // of a lane
  static constexpr int kLanes = LaneGroup::width() == 1 ? 1 : LaneGroup::width() / 2;  // of a side

  [[nodiscard]] RW_HOST_DEVICE int side_of(int i) const { return kSides == 1 ? group_.lane / kLanes : i; }

  RW_HOST_DEVICE void run(LoudnessRule::Side& side, int count, const float* row) const {
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
    for (int n = 0; n < count; ++n) LoudnessRule::step(rates_, gains_, side, row[2 * n]);
  }

  RW_HOST_DEVICE void end_hop(unsigned hop, LoudnessRule::State& kept) {
    const float left = group_.from(sides_[0].energy, 0);
    const float right = group_.from(sides_[kSides - 1].energy, kLanes % LaneGroup::width());
    if (group_.lane == 0) LoudnessRule::advance(rates_, constants_, kept, hop, left + right);
    for (LoudnessRule::Side& side : sides_) side.energy = 0;
  }

  LaneGroup group_;
  LoudnessRule::Rates rates_;
  LoudnessRule::Gains gains_;
  LoudnessRule::Constants constants_;
  std::int64_t start_frame_;
  LoudnessRule::Side sides_[kSides];
};

/// Chorus, echo, room, gain and ceiling of one station, a chunk after the other. `bus` and `store` begin at
/// the station's first frame of the block; the bus keeps what is measured for the loudness.
template <class Store>
RW_HOST_DEVICE inline void shape_station(const LaneGroup& group, const StationRule::Rates& rates,
                                         const RenderHeader& header, bool plays,
                                         const StationRule::Constants& constants, StationRule::State& kept,
                                         float* memory, BusFrame* bus, const Store& store) {
  SpacePass space(group, rates.space, constants, kept, header.places, memory);
  CeilingPass ceiling(group, rates.ceiling, rates.glide, constants, kept,
                      memory + rates.space.layout.floats());
  int count = 0;
  for (int first = 0; first < header.frames; first += count) {
    const std::int64_t clock = header.clock + first;
    count = frames_of_chunk(clock, header.frames - first);
    const auto store_here = [&](int n, StereoFrame heard, std::uint32_t at, bool is_on) {
      store(first + n, heard, at, is_on);
    };
    if (plays && clock >= constants.start_frame) {
      space.look_ahead(clock);
      space.run(count, bus + first, [] {});
      ceiling.listen(clock);
      ceiling.look_ahead(clock);
      ceiling.give(count, store_here);
      ceiling.take(count, bus + first);
    } else {
      space.skip(count);
      CeilingPass::skip(group, clock, count, store_here);
    }
  }
  space.finish(kept);
  ceiling.finish(kept);
}

}  // namespace ringwave::synth
