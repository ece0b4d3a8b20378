// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ringwave/core/out_of_line.hpp"
#include "ringwave/live/stations_job.hpp"
#include "ringwave/live/stations_rows.hpp"
#include "ringwave/live/stations_state.hpp"
#include "ringwave/ring/context.hpp"
#include "ringwave/synth/station_pass.hpp"

namespace ringwave::live {

/// What becomes of a live station's voices once they are played: mix, space, ceiling, and how loud it was. A
/// warp does each for a station, a lane a frame of a chunk.
struct StationsShaping : StationsState {
 protected:
  [[nodiscard]] RW_HOST_DEVICE static int least(int a, int b) { return a < b ? a : b; }

  /// A station that has no line of its own, after all its voices.
  RW_HOST_DEVICE void shape(ring::Context& context, int station, const StationsJob& job,
                            const StationsSpan& span, std::byte* reply) {
    mix(context, station, job, span, false);
    do_space(context, station, job, span, false);
    do_ceiling(context, station, job, span, reply, false);
  }

  /// The voices of a station and its bass and treble, a chunk after the other; `waits` for the voices of
  /// each.
  RW_HOST_DEVICE RW_OUT_OF_LINE void mix(ring::Context& context, int station, const StationsJob& job,
                                         const StationsSpan& span, bool waits) {
    const synth::LaneGroup group{context.block_lane() % synth::LaneGroup::width()};
    synth::BusFrame* const bus = bus_ + bus_place(station, job, span);
    const bool plays = playing_[station] != 0;
    synth::TonePass tone(group, rates.tone, constants_[station], states_[station]);
    each_chunk(span, [&](std::int64_t clock, int first, int count) {
      if (waits) context.sync_block();
      synth::BusFrame brought{0, 0};
      if constexpr (synth::LaneGroup::width() == synth::kChunkFrames) {
        brought = mixed(group, station, span.first + first + group.lane);
      } else {
        for (int n = first; n < first + count; ++n) bus[n] = mixed(group, station, span.first + n);
      }
      if (plays) tone.run(clock, count, brought, bus + first);
    });
    if (plays) tone.finish(states_[station]);
    group.sync();
  }

  /// Its chorus, echo and room; `waits` for the mix of each chunk, and once more when the last is on the bus:
  /// what that leaves in the rings nobody waits for.
  RW_HOST_DEVICE RW_OUT_OF_LINE void do_space(ring::Context& context, int station, const StationsJob& job,
                                              const StationsSpan& span, bool waits) {
    const synth::LaneGroup group{context.block_lane() % synth::LaneGroup::width()};
    synth::BusFrame* const bus = bus_ + bus_place(station, job, span);
    const std::int64_t start = start_of(station);
    const synth::SpaceRule::Rates near = rates.space;
    synth::SpacePass space(group, near, constants_[station], states_[station], places_of(job, span),
                           memory_of(station));
    each_chunk(span, [&](std::int64_t clock, int first, int count) {
      const auto done = [&] {
        if (waits && first + count == span.frames) context.sync_block();
      };
      if (clock >= start) space.look_ahead(clock);
      if (waits) context.sync_block();
      if (clock >= start) {
        space.run(count, bus + first, done);
      } else {
        space.skip(count);
        done();
      }
    });
    space.finish(states_[station]);
  }

  /// Its gain and ceiling, and out; `waits` for the space of each chunk, which is heard in a later one.
  RW_HOST_DEVICE RW_OUT_OF_LINE void do_ceiling(ring::Context& context, int station, const StationsJob& job,
                                                const StationsSpan& span, std::byte* reply, bool waits) {
    const synth::LaneGroup group{context.block_lane() % synth::LaneGroup::width()};
    const std::ptrdiff_t at = bus_place(station, job, span);
    const std::int64_t start = start_of(station);
    const synth::CeilingRule::Rates near = rates.ceiling;
    synth::CeilingPass ceiling(group, near, rates.glide, constants_[station], states_[station],
                               memory_of(station) + rates.space.layout.floats());
    StationRow row{output_, reply, 0, static_cast<std::uint32_t>(station), is_pcm != 0};
    const auto give = [&](std::int64_t clock, int first, int count) {
      row.first = static_cast<std::size_t>(at + first);
      if (clock >= start)
        ceiling.give(count, row);
      else
        synth::CeilingPass::skip(group, clock, count, row);
      ceiling.listen(clock + count);
    };
    ceiling.listen(span.clock);
    each_chunk(span, [&](std::int64_t clock, int first, int count) {
      if (span.heard > 0) give(clock, first, count);
      if (clock >= start) ceiling.look_ahead(clock);
      if (waits) context.sync_block();
      if (clock >= start) ceiling.take(count, bus_ + at + first);
    });
    if (span.heard > span.frames) give(span.clock + span.frames, span.frames, span.heard - span.frames);
    ceiling.finish(states_[station]);
  }

  /// The chunks that a span has a part of, in time: work(clock, first frame of the span, frames).
  template <class Work>
  RW_HOST_DEVICE static void each_chunk(const StationsSpan& span, const Work& work) {
    int count = 0;
    for (int first = 0; first < span.frames; first += count) {
      const std::int64_t clock = span.clock + first;
      count = synth::frames_of_chunk(clock, span.frames - first);
      work(clock, first, count);
    }
  }

  /// For the gain of the blocks after; a warp a station.
  RW_HOST_DEVICE RW_OUT_OF_LINE void measure(ring::Context& context, const Header& block) {
    constexpr int kWidth = synth::LaneGroup::width();
    const synth::LaneGroup group{context.block_lane() % kWidth};
    for (int station = station_of(context, context.block_lane() / kWidth); station < block.stations;
         station += context.lanes() / kWidth) {
      const synth::StationRule::Constants& constants = constants_[station];
      if (playing_[station] == 0 || constants.loudness.target <= 0) continue;
      synth::LoudnessPass(group, rates.loudness, constants, states_[station])
          .run(block.clock, block.frames, bus_ + station * block.frames, states_[station]);
    }
  }

 private:
  /// Where the delay lines are at the beginning of a span.
  [[nodiscard]] RW_HOST_DEVICE synth::SpaceRule::Places places_of(const StationsJob& job,
                                                                  const StationsSpan& span) const {
    synth::SpaceRule::Places places = job.header->places;
    for (int n = 0; n < span.first; n += synth::kChunkFrames)
      places.advance(rates.space.layout, least(synth::kChunkFrames, span.first - n));
    return places;
  }

  /// A frame of the block, of a station, as its voices played it. By all lanes, each with its frame.
  [[nodiscard]] RW_HOST_DEVICE synth::BusFrame mixed(const synth::LaneGroup& group, int station,
                                                     int frame) const {
    constexpr int kWidth = synth::LaneGroup::width();
    const synth::BusFrame* const played = played_ + VoiceRow::column(frame);
    const int count = sounding_counts_[station];
    synth::BusFrame sum{0, 0};
    for (int first = 0; first < count; first += kWidth) {
      const int voices = least(kWidth, count - first);
      const int mine = group.lane < voices ? sounding_[station * slots + first + group.lane] : 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 8
#endif
      for (int k = 0; k < voices; ++k) {
        const auto row = static_cast<std::ptrdiff_t>(group.from(mine, k)) * StationsSpan::kMostFrames;
        sum.left += played[row].left;
        sum.right += played[row].right;
      }
    }
    return sum;
  }

  /// Where a span of a station begins, in the bus and in the output.
  [[nodiscard]] RW_HOST_DEVICE static std::ptrdiff_t bus_place(int station, const StationsJob& job,
                                                               const StationsSpan& span) {
    return static_cast<std::ptrdiff_t>(station) * job.header->frames + span.first;
  }
};

}  // namespace ringwave::live
