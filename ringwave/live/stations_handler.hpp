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
///           control steps at once
///   mix     a warp a station, a lane a frame of a chunk: the sum of its voices in their order, bass, treble
///   space   the same: chorus, echo, room
///   ceiling the same: gain and ceiling, and into the reply
///   measure how loud it was, once the block is on its way
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
    const std::int32_t last_stations = last_stations_;
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
      if (block.clock == last_clock_ && block.frames == last_frames_)
        context.reply(output_, block_bytes(block), kRender);
      else
        context.reply(nullptr, 0, kOutOfStep);
      return;
    }
    if (block.commands != 0 || block.events != 0 || anew) obey(context, job, anew);
    // Of another number of stations other warps have other voices.
    const bool is_same = block.commands == 0 && !anew && block.stations == last_stations;
    job.foreseen_ns = is_same ? foreseen_ns : 0;
    auto reply = context.reply_view<std::byte>(block_bytes(block));
    const StationsCut cut(block.clock, block.frames);
    int first = 0;
    do {
      const StationsSpan span = cut.at(first);
      render(context, job, span, reply.data());
      first += span.frames;
    } while (first < cut.before);
    // Behind it no lane has yet to read the clock. Where nobody waits for a reply nobody waits for the lanes.
    if (context.send_reply() != ring::Delivery::ok) context.sync();
    if (context.lane() == 0) {
      clock_ = block.clock + block.frames;
      last_clock_ = block.clock;
      last_frames_ = block.frames;
      last_stations_ = block.stations;
    }
    render(context, job, cut.last(), nullptr);
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

  /// The voices of the block's own stations. After each piece of the last voices the warp waits, if there are
  /// others.
  RW_HOST_DEVICE void play_all(ring::Context& context, const StationsJob& job, const StationsSpan& span,
                               const Team& team, int own) {
    constexpr int kHalves = synth::LaneGroup::width() / synth::VoiceGroup::width();
    const bool is_line = team.size < context.block_lanes() / synth::LaneGroup::width();
    const VoiceProspect* prospect = prospect_of(context, job, span);
    synth::VoiceGroup group = voice_group(context);
    // Where nothing happens to any, the voices are where they were.
    group.is_pair = prospect != nullptr && job.header->events == 0 ? prospect->is_pair
                                                                   : has_pairs(context, team.size, own);
    const int voices = group.is_pair ? 1 : kHalves;  // of a warp
    const int places = group.is_pair ? team.size : own * slots;
    for (int first = 0; first < places; first += voices * team.size) {
      const bool waits = is_line && first + voices * team.size >= places;
      const int i = first + team.number * voices + group.half % voices;
      const bool is_known = prospect != nullptr && job.header->events == 0;
      const int row = is_known ? prospect->row : row_of(context, i, own);
      if (group.either(row >= 0))
        play(context, group, job, span, row, prospect, waits);
      else if (waits)
        each_chunk(span, [&](std::int64_t, int, int) { context.sync_block(); });
      prospect = nullptr;
    }
  }

  [[nodiscard]] RW_HOST_DEVICE static synth::VoiceGroup voice_group(const ring::Context& context) {
    constexpr int kWidth = synth::VoiceGroup::width();
    const int lane = context.block_lane() % synth::LaneGroup::width();
    return {.lane = lane % kWidth, .half = lane / kWidth};
  }

  /// True where a team has a warp for each voice of its block, so that both halves play the same.
  [[nodiscard]] RW_HOST_DEVICE bool has_pairs(const ring::Context& context, int warps, int own) const {
    if (synth::VoiceGroup::width() == 1) return false;
    return (own == 1 ? sounding_counts_[station_of(context, 0)] : own * slots) <= warps;
  }

  /// Of the i-th place for a voice of the block's own stations; -1 where none sounds there.
  [[nodiscard]] RW_HOST_DEVICE int row_of(const ring::Context& context, int i, int own) const {
    if (i >= own * slots) return -1;
    const int station = station_of(context, i / slots);
    const int place = i % slots;
    return place < sounding_counts_[station] ? station * slots + place : -1;
  }

#if defined(__CUDA_ARCH__)
  /// What each half of a warp keeps from message to message.
  struct Desk {
    synth::VoiceRule::Constants patch;  ///< that it had last
    VoiceProspect prospect;
  };

  [[nodiscard]] __device__ static Desk& desk_of(const ring::Context& context) {
    constexpr int kDesks = kMostLanes / synth::VoiceGroup::width();
    __shared__ alignas(16)
        std::byte desks[kDesks][sizeof(Desk)];  // bytes, because nobody makes what is shared
    return reinterpret_cast<Desk&>(desks[context.block_lane() / synth::VoiceGroup::width()]);
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
    auto* const copy = reinterpret_cast<std::uint32_t*>(&desk_of(context).patch);
    const auto* const from = reinterpret_cast<const std::uint32_t*>(patches + patch);
    synth::LaneGroup{}.sync();  // who read the one before has done so
    // It was for that one.
    if (group.lane == 0) desk_of(context).prospect.made_ns = 0;
#pragma unroll
    for (int i = 0; i < kWords; i += kWidth)
      if (i + group.lane < kWords) copy[i + group.lane] = from[i + group.lane];
    synth::LaneGroup{}.sync();
    return desk_of(context).patch;
#else
    return patches[patch];
#endif
  }

  /// The one that near_patch() gave last; where nothing is foreseen nobody asks for it.
  [[nodiscard]] RW_HOST_DEVICE const synth::VoiceRule::Constants& near_copy(
      [[maybe_unused]] const ring::Context& context) const {
#if defined(__CUDA_ARCH__)
    return desk_of(context).patch;
#else
    return patches[0];
#endif
  }

  /// What was foreseen for the lane's half of a warp; null where it is of another span, for either half.
  [[nodiscard]] RW_HOST_DEVICE static const VoiceProspect* prospect_of(
      [[maybe_unused]] const ring::Context& context, [[maybe_unused]] const StationsJob& job,
      [[maybe_unused]] const StationsSpan& span) {
#if defined(__CUDA_ARCH__)
    const VoiceProspect& prospect = desk_of(context).prospect;
    const bool is_own = prospect.is_by(context.block(), job) && prospect.is_for(*job.header, span);
    return synth::VoiceGroup{}.both(is_own) ? &prospect : nullptr;
#else
    return nullptr;
#endif
  }

  /// After a block, the voices in the first frames of the next one, if it is as long and nothing happens to
  /// them, by the warps that will play them.
  RW_HOST_DEVICE RW_OUT_OF_LINE void foresee([[maybe_unused]] ring::Context& context,
                                             [[maybe_unused]] const StationsJob& job,
                                             [[maybe_unused]] std::int64_t sent_ns) {
#if defined(__CUDA_ARCH__)
    constexpr int kWidth = synth::LaneGroup::width();
    const int own = own_stations(context, *job.header);
    if (own <= 0) return;
    const int lane = context.block_lane();
    const int others = (kStages - 1) * least(own, context.block_lanes() / kWidth / kStages);
    const int desks = (context.block_lanes() - others * kWidth) / synth::VoiceGroup::width();
    const bool is_own = own * slots <= desks;  // no other voice sits there
    // Where nothing happened, who sits there and what it plays is as it was.
    const bool is_settled = job.foreseen_ns != 0 && job.header->events == 0 && is_own;
    if (lane / kWidth >= others) {
      synth::VoiceGroup group = voice_group(context);
      group.is_pair = has_pairs(context, context.block_lanes() / kWidth - others, own);
      const int warp = lane / kWidth - others;
      const int voice = group.is_pair ? warp : 2 * warp + group.half;
      const StationsCut next(job.header->clock + job.header->frames, job.header->frames);
      const bool is_whole = next.before == 0 || (is_own && next.frames <= StationsSpan::kMostFrames);
      foresee_voice(context, group, job, is_settled, voice, own, next.clock,
                    is_whole ? next.frames : next.at(0).frames, sent_ns);
    }
    if (lane == 0) foreseen_ns_[context.block()] = sent_ns;
#endif
  }

#if defined(__CUDA_ARCH__)
  /// The one that a lane of those that play has in the first round, in so many frames from a clock on.
  __device__ void foresee_voice(ring::Context& context, const synth::VoiceGroup& group,
                                const StationsJob& job, bool is_settled, int voice, int own,
                                std::int64_t clock, int frames, std::int64_t sent_ns) {
    VoiceProspect& prospect = desk_of(context).prospect;
    const bool is_known = group.both(is_settled && prospect.is_by(context.block(), job));
    const int row = is_known ? prospect.row : row_of(context, voice, own);
    const int number = row < 0 ? -1 : is_known ? prospect.number : sounding_[row];
    const int patch = row < 0 ? 0 : is_known ? prospect.patch : patch_numbers_[number];
    synth::VoiceRule::State state;
    if (row >= 0) state = voices_[number];
    const synth::VoiceRule::Constants& near =
        is_known ? near_copy(context) : near_patch(context, group, patch);
    const bool is_possible = group.both(synth::ControlAhead::is_possible(near, clock, frames));
    synth::ControlAhead ahead;
    if (is_possible)
      synth::VoicePass::work_out(group, near, state, frames / synth::VoiceRule::kControlFrames, ahead);
    if (group.lane < VoiceProspect::kSteps) prospect.steps[group.lane] = ahead;
    if (group.lane != 0) return;
    prospect.made_ns = is_possible ? sent_ns : 0;
    prospect.clock = clock;
    prospect.block = context.block();
    prospect.block_frames = job.header->frames;
    prospect.frames = frames;
    prospect.is_pair = group.is_pair;
    prospect.row = row;
    prospect.number = number;
    prospect.patch = patch;
    prospect.state = state;
  }
#endif

  /// The voice of a row, or none: a half of a warp that has none does the same and keeps nothing.
  RW_HOST_DEVICE RW_OUT_OF_LINE void play(ring::Context& context, const synth::VoiceGroup& group,
                                          const StationsJob& job, const StationsSpan& span, int row,
                                          const VoiceProspect* prospect, bool waits) {
    const bool is_there = row >= 0;
    const bool is_known = prospect != nullptr && job.header->events == 0;
    const int number = !is_there ? 0 : is_known ? prospect->number : sounding_[row];
    const bool is_foreseen =
        group.both(is_known || (prospect != nullptr &&
                                (!is_there || (prospect->number == number && first_events_[number] == 0))));
    const int block_frames = job.header->frames;
    const synth::VoicePass pass{patches, job.events, job.header->events, block_frames};
    synth::VoiceInBlock voice;
    if (is_foreseen) {
      voice.state = is_there && span.first > 0 ? voices_[number] : prospect->state;
      voice.patch = prospect->patch;
    } else if (is_there) {
      voice.state = voices_[number];
      voice.patch = patch_numbers_[number];
      voice.event = first_events_[number] - 1;
    }
    voice.event_frame = voice.event >= 0 ? job.events[voice.event].frame : block_frames;
    const std::int64_t clock = span.clock;
    const int frames = span.frames;
    const int first_step = span.first / synth::VoiceRule::kControlFrames;
    const auto played = [&](int frame) {
      const bool is_piece = (clock + frame) % synth::kChunkFrames == 0 || frame == frames;
      if (waits && is_piece) context.sync_block();
    };
    pass.play_together(
        group, voice, is_foreseen ? near_copy(context) : near_patch(context, group, voice.patch),
        is_foreseen ? prospect->steps + (first_step + group.lane) % VoiceProspect::kSteps : nullptr, clock,
        span.first, frames,
        VoiceRow{is_there ? played_ + static_cast<std::ptrdiff_t>(row) * StationsSpan::kMostFrames : nullptr},
        played);
    if (group.lane != 0 || !is_there || (group.is_pair && group.half == 0)) return;
    voices_[number] = voice.state;
    patch_numbers_[number] = static_cast<std::uint8_t>(voice.patch);
    // Of the next block there are others.
    const bool is_last = span.first + span.frames == block_frames;
    first_events_[number] = !is_last && voice.event_frame < block_frames ? voice.event + 1 : 0;
  }
};

}  // namespace ringwave::live
