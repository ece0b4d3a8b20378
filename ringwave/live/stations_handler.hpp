// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ringwave/core/out_of_line.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/live/stations_job.hpp"
#include "ringwave/live/stations_rows.hpp"
#include "ringwave/live/stations_shaping.hpp"
#include "ringwave/live/voice_prospect.hpp"
#include "ringwave/ring/context.hpp"
#include "ringwave/ring/message.hpp"
#include "ringwave/synth/voice_pass.hpp"

namespace ringwave::live {

/// Renders the next block of some stations for every message: the renderer as a ring kernel. Each block of
/// the kernel has stations of its own, and takes them through passes made of the renderer's rules:
///
///   play    half a warp a voice, a lane a frame of a control step; where there are enough, a warp, with two
///           control steps at once; no more than what was not foreseen
///   mix     a warp a station, a lane a frame of a chunk: the sum of its voices in their order, bass, treble
///   space   the same: chorus, echo, room
///   ceiling the same: gain and ceiling, and into the reply
///   measure how loud it was, once the block is on its way
///   foresee the voices of the next block, as if nothing happened in it
///
/// The block is on its way when all that is heard in it is known; its last chunk, which is heard later, goes
/// through the same passes after that.
///
/// The renderer has many stations and hides what a frame waits for behind others; here a few are to be ready
/// soon, so that a voice and a station have as many lanes as have something to do.
///
/// The request is a RenderHeader, its commands and its events, as the renderer's twins get them; the reply is
/// the block, [station][frame][side]. A block that comes again is answered again; one that is not the next
/// is not rendered.
struct StationsHandler : StationsShaping {
  static constexpr const char* kName = "live_stations";
  static constexpr bool kLone = false;  ///< a kernel of one warp is seldom wanted

  static constexpr std::uint32_t kRender = 1;     ///< type of a request, and of its reply
  static constexpr std::uint32_t kOutOfStep = 2;  ///< type of a reply: another block is the next one
  static constexpr std::uint32_t kAnew = 1;       ///< argument of a request: nothing played before it
  static constexpr std::uint32_t kTorn = 1;       ///< the kernel failed: a request that is not whole

  RW_HOST_DEVICE void on_message(ring::Context& context, const ring::Message& message) {
#if !defined(__CUDA_ARCH__)
    const FlushSubnormals flush;
#endif
    // On their way while the message is.
    const std::int64_t next_clock = clock_;
    const std::int64_t foreseen_ns = foreseen_ns_[context.block()];
    const std::int32_t last_frames = last_frames_;
    if (message.type() != kRender) {
      context.refuse();
      return;
    }
    StationsJob job(message);
    if (!is_whole(context, message, job)) {
      context.fail(kTorn);
      return;
    }
    const Header& block = *job.header;
    const bool anew = message.argument() == kAnew;
    if (!anew && block.clock != next_clock) {
      if (block.clock == last_clock_ && block.frames == last_frames)
        context.reply(output_, block_bytes(block), kRender);
      else
        context.reply(nullptr, 0, kOutOfStep);
      return;
    }
    if (block.commands != 0 || block.events != 0 || anew) obey(context, job, anew);
    job.foreseen_ns = !anew && block.frames == last_frames ? foreseen_ns : 0;
    auto reply = context.reply_view<std::byte>(block_bytes(block));
    const StationsCut cut = job.cut();
    StationsSpan span = cut.at(0);
    render(context, job, span, reply.data());
    while (span.first + span.frames < cut.before) {
      settle(context, job, span);
      span = cut.at(span.first + span.frames);
      render(context, job, span, reply.data());
    }
    // Behind it no lane has yet to read the clock. Where nobody waits for a reply nobody waits for the lanes.
    if (context.send_reply() != ring::Delivery::ok) context.sync();
    if (context.lane() == 0) {
      clock_ = block.clock + block.frames;
      last_clock_ = block.clock;
      last_frames_ = block.frames;
    }
    settle(context, job, span);
    render(context, job, cut.last(), nullptr);
    settle(context, job, cut.last());
    measure(context, block);
    foresee(context, job, message.head().sent_ns);
  }

 private:
  /// Of the line of work, in the order in which a piece comes to them.
  enum Stage { kPlay, kMix, kSpace, kCeiling };
  static constexpr int kStages = 4;

  /// From the voices to the output. Where the block has warps enough it is a line of work: some play the
  /// voices, and of each station one mixes what they played, one does its space, one its ceiling, each a
  /// piece after the one before: frames of one chunk. All of them wait for each other after each piece, and
  /// as often at the line's ends. Stations beyond the lines are shaped when all is played.
  RW_HOST_DEVICE RW_OUT_OF_LINE void render(ring::Context& context, const StationsJob& job,
                                            const StationsSpan& span, std::byte* reply) {
    constexpr int kWidth = synth::LaneGroup::width();
    const int warp = context.block_lane() / kWidth;
    const int warps = context.block_lanes() / kWidth;
    const int own = own_stations(context, *job.header);
    const int lines = least(own, warps / kStages);
    if (own <= 0) return;
    if (span.frames == 0) {
      for (int i = warp; i < own; i += warps)
        do_ceiling(context, station_of(context, i), job, span, reply, false);
      return;
    }
    if (lines == 0) {
      play_all(context, job, span, {warp, warps}, own);
      context.sync_block();
    } else {
      const int others = (kStages - 1) * lines;
      const int stage = warp < others ? kStages - 1 - warp / lines : kPlay;
      const int behind = stage == kPlay ? 0 : stage - 1;
      wait(context, behind);
      const int station = station_of(context, warp % lines);
      if (stage == kPlay) play_all(context, job, span, {warp - others, warps - others}, own);
      if (stage == kMix) mix(context, station, job, span, true);
      if (stage == kSpace) do_space(context, station, job, span, true);
      if (stage == kCeiling) do_ceiling(context, station, job, span, reply, true);
      if (stage != kSpace) wait(context, kStages - 2 - behind);  // the space has done so
    }
    for (int i = lines + warp; i < own; i += warps) shape(context, station_of(context, i), job, span, reply);
    context.sync_block();
  }

  RW_HOST_DEVICE static void wait(ring::Context& context, int times) {
    for (int i = 0; i < times; ++i) context.sync_block();
  }

  /// Some of the warps of a block.
  struct Team {
    int number;  ///< of this one
    int size;
  };

  /// The voices of the block's own stations that have not played the span yet: those to which something
  /// happens, and those that were not foreseen. After each piece the warp waits, if there are others.
  RW_HOST_DEVICE void play_all(ring::Context& context, const StationsJob& job, const StationsSpan& span,
                               const Team& team, int own) {
    const bool is_line = team.size < context.block_lanes() / synth::LaneGroup::width();
    const bool is_one_round = own * slots <= synth::LaneGroup::width();
    bool has_waited = false;
    each_voice(
        context, team, own, [&](int number) { return !is_played(number, job, span); },
        [&](const synth::VoiceGroup& group, int number, bool is_last) {
          has_waited = is_line && is_one_round && is_last;
          play(context, group, job, span, number, has_waited);
        });
    if (is_line && !has_waited) each_chunk(span, [&](std::int64_t, int, int) { context.sync_block(); });
  }

  /// Calls `work(group, voice, is_last)` for the sounding voices of the block's own stations that are
  /// `wanted(voice)`: all lanes of a warp together, each for the voice of its half, or for the same one where
  /// there are warps enough; -1 for a half that has none. Each warp of the team has others of them.
  template <class Wanted, class Work>
  RW_HOST_DEVICE void each_voice(const ring::Context& context, const Team& team, int own,
                                 const Wanted& wanted, const Work& work) const {
    const synth::LaneGroup warp{context.block_lane() % synth::LaneGroup::width()};
    constexpr int kWidth = synth::VoiceGroup::width();
    constexpr int kHalves = synth::LaneGroup::width() / kWidth;
    synth::VoiceGroup group{.lane = warp.lane % kWidth, .half = warp.lane / kWidth};
    for (int place = 0; place < own * slots; place += synth::LaneGroup::width()) {
      const int mine = voice_at(context, place + warp.lane, own);
      const std::uint32_t them = warp.who(mine >= 0 && wanted(mine));
      const int count = synth::LaneGroup::count(them);
      group.is_pair = kHalves > 1 && count <= team.size;
      const int voices = group.is_pair ? 1 : kHalves;  // of a warp
      for (int first = voices * team.number; first < count; first += voices * team.size) {
        const int i = first + group.half % voices;
        const int number = warp.from(mine, synth::LaneGroup::nth(them, i < count ? i : first));
        work(group, i < count ? number : -1, first + voices * team.size >= count);
      }
    }
  }

  /// The voice at the i-th place for one of the block's own stations; -1 where none sounds there.
  [[nodiscard]] RW_HOST_DEVICE int voice_at(const ring::Context& context, int i, int own) const {
    if (i >= own * slots) return -1;
    const int station = station_of(context, i / slots);
    const int place = i % slots;
    return place < sounding_counts_[station] ? sounding_[station * slots + place] : -1;
  }

  /// True where a voice was foreseen in a span.
  [[nodiscard]] RW_HOST_DEVICE bool is_foreseen(int number, const StationsJob& job,
                                                const StationsSpan& span) const {
    return job.foreseen_ns != 0 && prospects_[number].made_ns == job.foreseen_ns &&
           span.first < job.cut().foreseen();
  }

  /// True where it has played it then: nothing happens to it before the end.
  [[nodiscard]] RW_HOST_DEVICE bool is_played(int number, const StationsJob& job,
                                              const StationsSpan& span) const {
    if (!is_foreseen(number, job, span)) return false;
    const int event = first_events_[number] - 1;
    return event < 0 || job.events[event].frame >= span.first + span.frames;
  }

#if defined(__CUDA_ARCH__)
  /// A patch for each half of a warp.
  [[nodiscard]] __device__ static synth::VoiceRule::Constants& desk_of(const ring::Context& context) {
    constexpr int kDesks = kMostLanes / synth::VoiceGroup::width();
    __shared__ alignas(16)
        std::byte desks[kDesks][sizeof(synth::VoiceRule::Constants)];  // bytes: nobody makes what is shared
    return reinterpret_cast<synth::VoiceRule::Constants&>(
        desks[context.block_lane() / synth::VoiceGroup::width()]);
  }
#endif

  /// A patch, where a lane has it at once: on a GPU a copy of the voice's own, fetched as a whole, because
  /// each part that is found missing later is waited for.
  [[nodiscard]] RW_HOST_DEVICE const synth::VoiceRule::Constants& near_patch(
      [[maybe_unused]] const ring::Context& context, [[maybe_unused]] const synth::VoiceGroup& group,
      int patch) const {
#if defined(__CUDA_ARCH__)
    constexpr int kWidth = synth::VoiceGroup::width();
    constexpr int kWords = sizeof(synth::VoiceRule::Constants) / sizeof(std::uint32_t);
    static_assert(sizeof(synth::VoiceRule::Constants) % sizeof(std::uint32_t) == 0);
    auto* const copy = reinterpret_cast<std::uint32_t*>(&desk_of(context));
    const auto* const from = reinterpret_cast<const std::uint32_t*>(patches + patch);
    synth::LaneGroup{}.sync();  // who read the one before has done so
#pragma unroll
    for (int i = 0; i < kWords; i += kWidth)
      if (i + group.lane < kWords) copy[i + group.lane] = from[i + group.lane];
    synth::LaneGroup{}.sync();
    return desk_of(context);
#else
    return patches[patch];
#endif
  }

  /// A voice in a span: from the piece on in which something happens to it, if it was foreseen; `waits` after
  /// each piece. A half of a warp that has none does the same and keeps nothing.
  RW_HOST_DEVICE RW_OUT_OF_LINE void play(ring::Context& context, const synth::VoiceGroup& group,
                                          const StationsJob& job, const StationsSpan& span, int number,
                                          bool waits) {
    const synth::RenderHeader& block = *job.header;
    const synth::VoicePass pass{patches, job.events, block.events, block.frames};
    synth::VoiceInBlock voice;
    if (number >= 0) {
      voice.patch = patch_numbers_[number];
      voice.event = first_events_[number] - 1;
    }
    voice.event_frame = voice.event >= 0 ? job.events[voice.event].frame : block.frames;
    const bool is_ready = number >= 0 && is_foreseen(number, job, span);
    const int ready = number < 0 ? span.frames : is_ready ? job.frames_before(voice.event_frame, span) : 0;
    const int skipped = group.least(ready);
    if (number >= 0) voice.state = state_at(number, job, span.first + skipped, is_ready);
    each_chunk({span.first, skipped, span.clock, 0}, [&](std::int64_t, int, int) {
      if (waits) context.sync_block();
    });
    const StationsSpan rest{span.first + skipped, span.frames - skipped, span.clock + skipped, 0};
    play_frames(context, group, pass, rest, number, voice, [&](int, const synth::VoiceRule::State&) {
      if (waits) context.sync_block();
    });
    if (number < 0 || !group.keeps()) return;
    voices_[number] = voice.state;
    patch_numbers_[number] = static_cast<std::uint8_t>(voice.patch);
    next_events_[number] = voice.event_frame < block.frames ? voice.event + 1 : 0;
  }

  /// What a voice is at a frame of the block: at the first of the span, or where a piece begins that it
  /// has foreseen.
  [[nodiscard]] RW_HOST_DEVICE const synth::VoiceRule::State& state_at(int number, const StationsJob& job,
                                                                       int frame, bool is_ready) const {
    const int piece = job.piece_at(frame);
    return is_ready && piece > 0 ? prospects_[number].pieces[piece - 1] : voices_[number];
  }

  /// The frames of a span, into the voice's row, if it is one: `ended(frame, state)` after each piece.
  template <class Ended>
  RW_HOST_DEVICE void play_frames(ring::Context& context, const synth::VoiceGroup& group,
                                  const synth::VoicePass& pass, const StationsSpan& span, int number,
                                  synth::VoiceInBlock& kept, const Ended& ended) {
    const std::int64_t clock = span.clock;
    const int frames = span.frames;
    synth::VoiceInBlock voice = kept;
    pass.play_together(group, voice, near_patch(context, group, voice.patch), clock, span.first, frames,
                       VoiceRow{row_of(number), span.first},
                       [&](int frame, const synth::VoiceRule::State& state) {
                         if ((clock + frame) % synth::kChunkFrames == 0 || frame == frames)
                           ended(frame, state);
                       });
    kept = voice;
  }

  /// After a span, what nobody may change while others still look for what they are to play.
  RW_HOST_DEVICE RW_OUT_OF_LINE void settle(const ring::Context& context, const StationsJob& job,
                                            const StationsSpan& span) {
    const int end = span.first + span.frames;
    const int own = own_stations(context, *job.header);
    for (int i = context.block_lane(); span.frames > 0 && i < own * slots; i += context.block_lanes()) {
      const int number = voice_at(context, i, own);
      if (number < 0) continue;
      if (is_played(number, job, span)) {
        if (end == job.cut().foreseen()) voices_[number] = prospects_[number].after;
        continue;
      }
      prospects_[number].made_ns = 0;  // it has come otherwise
      // Of the next block there are others.
      first_events_[number] = end < job.header->frames ? next_events_[number] : 0;
    }
    context.sync_block();
  }

  /// After a block, its voices in the first frames of the next one, if it is as long and nothing happens to
  /// them.
  RW_HOST_DEVICE RW_OUT_OF_LINE void foresee([[maybe_unused]] ring::Context& context,
                                             [[maybe_unused]] const StationsJob& job,
                                             [[maybe_unused]] std::int64_t sent_ns) {
#if defined(__CUDA_ARCH__)
    constexpr int kWidth = synth::LaneGroup::width();
    const Team team{context.block_lane() / kWidth, context.block_lanes() / kWidth};
    const StationsCut next(job.header->clock + job.header->frames, job.header->frames);
    each_voice(
        context, team, own_stations(context, *job.header), [](int) { return true; },
        [&](const synth::VoiceGroup& group, int number, bool) {
          foresee_voice(context, group, number, next, sent_ns);
        });
    if (context.block_lane() == 0) foreseen_ns_[context.block()] = sent_ns;
#endif
  }

  /// A voice, and what it is where a piece begins.
  RW_HOST_DEVICE void foresee_voice(ring::Context& context, const synth::VoiceGroup& group, int number,
                                    const StationsCut& next, std::int64_t sent_ns) {
    const bool keeps = number >= 0 && group.keeps();
    synth::VoiceInBlock voice;
    voice.event_frame = next.frames;
    if (number >= 0) {
      voice.state = voices_[number];
      voice.patch = patch_numbers_[number];
    }
    const StationsSpan span{0, next.foreseen(), next.clock, 0};
    int piece = 0;
    play_frames(context, group, {patches, nullptr, 0, next.frames}, span, number, voice,
                [&](int frame, const synth::VoiceRule::State& state) {
                  if (!keeps) return;
                  VoiceProspect& prospect = prospects_[number];
                  (frame < span.frames ? prospect.pieces[piece++] : prospect.after) = state;
                });
    if (keeps) prospects_[number].made_ns = sent_ns;
  }
};

}  // namespace ringwave::live
