// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ringwave/core/out_of_line.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/ring/context.hpp"
#include "ringwave/ring/message.hpp"
#include "ringwave/synth/renderer_twins.hpp"
#include "ringwave/synth/station_pass.hpp"
#include "ringwave/synth/voice_pass.hpp"

namespace ringwave::live {

/// Renders the next block of some stations for every message: the renderer as a ring kernel. Each block of
/// the kernel has stations of its own, and takes them through passes made of the renderer's rules:
///
///   play    half a warp a voice, a lane a frame of a control step
///   mix     a warp a station, a lane a frame of a chunk: the sum of its voices in their order, bass, treble
///   shape   the same: chorus, echo, room, gain, ceiling
///   measure how loud it was, once the block is on its way
///
/// The renderer has many stations and hides what a frame waits for behind others; here a few are to be ready
/// soon, so that a voice and a station have as many lanes as have something to do.
///
/// The request is a RenderHeader, its commands and its events, as the renderer's twins get them; the reply is
/// the block, [station][frame][side]. A block that comes again is answered again; one that is not the next
/// is not rendered.
struct StationsHandler {
  static constexpr const char* kName = "live_stations";

  static constexpr int kMostStations = 32;
  static constexpr int kMostBlocks = kMostStations + 1;  ///< of the kernel
  static constexpr int kMostVoices = 640;                ///< of all stations together
  static constexpr int kMostPatches = 64;
  static constexpr int kMostEvents = 512;
  static constexpr int kMostCommands = 128;
  static constexpr std::size_t kMostFloats = 1'450'000;  ///< of all effects: 32 stations at 48 kHz
  static constexpr std::size_t kMostBlockBytes = ring::kMostPayloadBytes;
  static constexpr int kSpanFrames = 128;  ///< of a block that go through all passes at once

  static constexpr std::uint32_t kRender = 1;     ///< type of a request, and of its reply
  static constexpr std::uint32_t kOutOfStep = 2;  ///< type of a reply: another block is the next one
  static constexpr std::uint32_t kAnew = 1;       ///< argument of a request: nothing played before it
  static constexpr std::uint32_t kTorn = 1;       ///< the kernel failed: a request that is not whole

  using Header = synth::RenderHeader;
  using Command = synth::StationCommand;
  using Event = synth::VoiceEvent;

  // What the host sets.
  synth::StationRule::Rates rates{};
  synth::VoiceRule::Constants patches[kMostPatches]{};
  std::int32_t stations = 0;
  std::int32_t slots = 0;   ///< voices of a station
  std::int32_t floats = 0;  ///< of a station's memory
  std::int32_t is_pcm = 0;  ///< 16 bits instead of floats

  RW_HOST_DEVICE void on_message(ring::Context& context, const ring::Message& message) {
#if !defined(__CUDA_ARCH__)
    const FlushSubnormals flush;
#endif
    if (message.type() != kRender) {
      context.refuse();
      return;
    }
    const Job job(message);
    if (!is_whole(context, message, job)) {
      context.fail(kTorn);
      return;
    }
    const Header& block = *job.header;
    const bool anew = message.argument() == kAnew;
    if (!anew && block.clock != clock_) {
      if (block.clock == last_clock_ && block.frames == last_frames_)
        context.reply(output_, block_bytes(block), kRender);
      else
        context.reply(nullptr, 0, kOutOfStep);
      return;
    }
    if (block.commands != 0 || block.events != 0 || anew) obey(context, job, anew);
    auto reply = context.reply_view<std::byte>(block_bytes(block));
    Span span{.first = 0, .header = block};
    for (; span.first < block.frames; advance(span)) {
      span.header.clock = block.clock + span.first;
      span.header.frames = least(kSpanFrames, block.frames - span.first);
      render(context, job, span, reply.data());
    }
    context.send_reply();  // behind it no lane has yet to read the clock
    if (context.lane() == 0) {
      clock_ = block.clock + block.frames;
      last_clock_ = block.clock;
      last_frames_ = block.frames;
    }
    measure(context, block);
  }

 private:
  /// A request.
  struct Job {
    RW_HOST_DEVICE explicit Job(const ring::Message& message)
        : header(reinterpret_cast<const Header*>(message.data())) {
      if (message.bytes() < sizeof(Header)) return;
      commands = reinterpret_cast<const Command*>(message.data() + sizeof(Header));
      events = reinterpret_cast<const Event*>(commands + header->commands);
    }

    const Header* header;
    const Command* commands = nullptr;
    const Event* events = nullptr;
  };

  /// Some frames of the block, which go through all passes at once.
  struct Span {
    int first;      ///< frame
    Header header;  ///< as if they were a block of their own
  };

  struct alignas(4) PcmFrame {
    std::int16_t left;
    std::int16_t right;
  };

  /// Where a voice's frames go, if anywhere.
  struct VoiceRow {
    synth::BusFrame* frames;

    RW_HOST_DEVICE void operator()(int n, synth::VoiceRule::Frame frame) const {
      if (frames != nullptr) frames[n] = {frame.left, frame.right};
    }
  };

  /// Where a station's frames go: into what is kept, and into the reply where somebody waits for it.
  struct StationRow {
    std::byte* kept;
    std::byte* reply;
    std::size_t first;  ///< frame, of the whole output
    std::uint32_t station;
    bool is_pcm;

    RW_HOST_DEVICE void operator()(int n, synth::StereoFrame heard, std::uint32_t clock, bool is_on) const {
      using synth::StationRule;
      const std::size_t frame = first + static_cast<std::size_t>(n);
      if (!is_on) heard = {};
      if (!is_pcm) return put(frame, synth::BusFrame{heard.left, heard.right});
      put(frame, is_on ? PcmFrame{StationRule::quantized(heard.left, StationRule::dither(station, clock, 0)),
                                  StationRule::quantized(heard.right, StationRule::dither(station, clock, 1))}
                       : PcmFrame{0, 0});
    }

    template <class Frame>
    RW_HOST_DEVICE void put(std::size_t frame, Frame value) const {
      reinterpret_cast<Frame*>(kept)[frame] = value;
      if (reply != nullptr) reinterpret_cast<Frame*>(reply)[frame] = value;
    }
  };

  /// The first station of the lane's block, which has every blocks()-th from there on. The first block, which
  /// has the messages to find, is the last that gets one.
  [[nodiscard]] RW_HOST_DEVICE static int first_of(const ring::Context& context) {
    return context.blocks() - 1 - context.block();
  }

  [[nodiscard]] RW_HOST_DEVICE static int station_of(const ring::Context& context, int i) {
    return first_of(context) + i * context.blocks();
  }

  [[nodiscard]] RW_HOST_DEVICE static int least(int a, int b) {
    return a < b ? a : b;
  }

  [[nodiscard]] RW_HOST_DEVICE std::size_t block_bytes(const Header& block) const {
    return static_cast<std::size_t>(block.stations) * static_cast<std::size_t>(block.frames) *
           (is_pcm != 0 ? sizeof(PcmFrame) : sizeof(synth::BusFrame));
  }

  /// All counts and numbers are in their ranges, and what is counted is there. The same in every block.
  [[nodiscard]] RW_HOST_DEVICE bool is_whole(ring::Context& context, const ring::Message& message,
                                             const Job& job) {
    if (message.bytes() < sizeof(Header)) return false;
    const Header& block = *job.header;
    const bool in_range = block.frames > 0 && block.frames <= synth::LoudnessRule::kHopFrames &&
                          block.stations >= 0 && block.stations <= stations && block.events >= 0 &&
                          block.events <= kMostEvents && block.commands >= 0 &&
                          block.commands <= kMostCommands;
    if (!in_range || block_bytes(block) > kMostBlockBytes ||
        message.bytes() < sizeof(Header) + static_cast<std::size_t>(block.commands) * sizeof(Command) +
                              static_cast<std::size_t>(block.events) * sizeof(Event))
      return false;
    return (block.commands == 0 && block.events == 0) || names_what_is_there(context, job);
  }

  [[nodiscard]] RW_HOST_DEVICE bool names_what_is_there(ring::Context& context, const Job& job) {
    std::int32_t& strangers = strangers_[context.block()];
    if (context.block_lane() == 0) strangers = 0;
    context.sync_block();
    for (int i = context.block_lane(); i < job.header->commands; i += context.block_lanes()) {
      const Command& command = job.commands[i];
      if (command.station < 0 || command.station >= stations) strangers = 1;
    }
    for (int i = context.block_lane(); i < job.header->events; i += context.block_lanes()) {
      const Event& event = job.events[i];
      if (event.station < 0 || event.station >= stations || event.voice < 0 || event.voice >= slots ||
          event.patch >= kMostPatches)
        strangers = 1;
    }
    context.sync_block();
    const bool are_there = strangers == 0;
    context.sync_block();
    return are_there;
  }

  /// Starts, changes and ends stations, and finds each voice's first event.
  RW_HOST_DEVICE RW_OUT_OF_LINE void obey(ring::Context& context, const Job& job, bool anew) {
    const int lane = context.block_lane();
    const int lanes = context.block_lanes();
    for (int station = first_of(context); station < stations; station += context.blocks()) {
      if (anew && lane == 0) playing_[station] = 0;
      if (anew)
        for (int slot = lane; slot < slots; slot += lanes) first_events_[station * slots + slot] = 0;
      context.sync_block();
      for (int i = 0; i < job.header->commands; ++i)
        if (job.commands[i].station == station) obey(context, job.commands[i]);
    }
    for (int i = lane; i < job.header->events; i += lanes) {
      const Event& event = job.events[i];
      if (event.station % context.blocks() != first_of(context)) continue;
      const Event* const before = i > 0 ? job.events + i - 1 : nullptr;
      if (before == nullptr || before->station != event.station || before->voice != event.voice)
        first_events_[event.station * slots + event.voice] = i + 1;
    }
    context.sync_block();
    for (int station = first_of(context) + lane * context.blocks(); station < stations;
         station += lanes * context.blocks())
      call_the_roll(station);
    context.sync_block();
  }

  RW_HOST_DEVICE void obey(ring::Context& context, const Command& command) {
    const auto kind = command.kind;
    const int station = command.station;
    if (context.block_lane() == 0) {
      playing_[station] = kind == Command::Kind::end ? 0 : 1;
      if (kind != Command::Kind::end) constants_[station] = command.constants;
      if (kind == Command::Kind::start)
        synth::StationRule::start(rates, constants_[station], states_[station]);
    }
    if (kind != Command::Kind::start) return;
    float* const memory = memory_ + static_cast<std::ptrdiff_t>(station) * floats;
    for (int n = context.block_lane(); n < floats; n += context.block_lanes()) memory[n] = 0;
    const synth::VoiceRule::State silent;
    for (int slot = context.block_lane(); slot < slots; slot += context.block_lanes())
      voices_[station * slots + slot] = silent;
  }

  /// Which voices of a station have something to do, until the next block with a command or an event.
  RW_HOST_DEVICE void call_the_roll(int station) {
    int count = 0;
    for (int voice = station * slots; voice < (station + 1) * slots; ++voice) {
      if (playing_[station] == 0) first_events_[voice] = 0;  // it ends now
      if (playing_[station] != 0 &&
          (first_events_[voice] > 0 || !synth::VoiceRule::is_silent(voices_[voice])))
        sounding_[station * slots + count++] = static_cast<std::int16_t>(voice);
    }
    sounding_counts_[station] = count;
  }

  /// From the voices to the output. Where the block has warps enough it is a line of work: some play the
  /// voices, one for a station mixes what they played, one shapes what was mixed, each a piece after those
  /// before it: frames of one chunk. All of them wait for each other after each piece.
  RW_HOST_DEVICE void render(ring::Context& context, const Job& job, const Span& span, std::byte* reply) {
    constexpr int kWidth = synth::LaneGroup::width();
    const int warp = context.block_lane() / kWidth;
    const int warps = context.block_lanes() / kWidth;
    const int own = (span.header.stations - first_of(context) + context.blocks() - 1) / context.blocks();
    const int lines = least(own, warps / 3);
    if (own <= 0) return;
    if (lines == 0) {
      play_all(context, job, span, {warp, warps}, own);
      context.sync_block();
      for (int i = warp; i < own; i += warps) shape(context, station_of(context, i), job, span, reply, false);
    } else if (warp < lines) {
      context.sync_block();
      for (int i = warp; i < own; i += lines)
        shape(context, station_of(context, i), job, span, reply, i == warp);
    } else if (warp < 2 * lines) {
      mix_all(context, station_of(context, warp - lines), job, span);
      context.sync_block();
    } else {
      play_all(context, job, span, {warp - 2 * lines, warps - 2 * lines}, own);
      context.sync_block();
    }
    context.sync_block();
  }

  /// Some of the warps of a block.
  struct Team {
    int number;  ///< of this one
    int size;
  };

  /// The voices of the block's own stations. After each piece of the last voices the warp waits, if there are
  /// others.
  RW_HOST_DEVICE void play_all(ring::Context& context, const Job& job, const Span& span, const Team& team,
                               int own) {
    constexpr int kVoiceWidth = synth::VoiceGroup::width();
    constexpr int kVoices = synth::LaneGroup::width() / kVoiceWidth;  // of a warp
    const int lane = context.block_lane();
    const bool waits = team.size < context.block_lanes() / synth::LaneGroup::width();
    for (int first = 0; first < own * slots; first += kVoices * team.size) {
      const bool is_last = first + kVoices * team.size >= own * slots;
      const int i = first + team.number * kVoices + lane / kVoiceWidth % kVoices;
      const int station = station_of(context, i / slots);
      const bool is_there = i < own * slots && i % slots < sounding_counts_[station];
      play(context, {lane % kVoiceWidth}, job, span, is_there ? station * slots + i % slots : -1,
           waits && is_last);
    }
  }

  RW_HOST_DEVICE void advance(Span& span) const {
    span.first += kSpanFrames;
    for (int n = 0; n < kSpanFrames; n += synth::kChunkFrames)
      span.header.places.advance(rates.space.layout, synth::kChunkFrames);
  }

  /// The voice of a row, or none: a half of a warp that has none does the same and keeps nothing.
  RW_HOST_DEVICE RW_OUT_OF_LINE void play(ring::Context& context, const synth::VoiceGroup& group,
                                          const Job& job, const Span& span, int row, bool waits) {
    const bool is_there = row >= 0;
    const int number = is_there ? sounding_[row] : 0;
    const int block_frames = job.header->frames;
    const synth::VoicePass pass{patches, job.events, job.header->events, block_frames};
    synth::PlayingVoice voice;
    if (is_there) {
      voice.state = voices_[number];
      voice.patch = patch_numbers_[number];
      voice.event = first_events_[number] - 1;
    }
    voice.event_frame = voice.event >= 0 ? job.events[voice.event].frame : block_frames;
    const std::int64_t clock = span.header.clock;
    const int frames = span.header.frames;
    const auto played = [&](int frame) {
      const bool is_piece = (clock + frame) % synth::kChunkFrames == 0 || frame == frames;
      if (waits && is_piece) context.sync_block();
    };
    pass.play_together(
        group, voice, clock, span.first, frames,
        VoiceRow{is_there ? played_ + static_cast<std::ptrdiff_t>(row) * kSpanFrames : nullptr}, played);
    if (group.lane != 0 || !is_there) return;
    voices_[number] = voice.state;
    patch_numbers_[number] = static_cast<std::uint8_t>(voice.patch);
    // Of the next block there are others.
    const bool is_last = span.first + span.header.frames == block_frames;
    first_events_[number] = !is_last && voice.event_frame < block_frames ? voice.event + 1 : 0;
  }

  /// A station, a chunk after the other; `waits` for another warp that mixes them, or does that itself.
  RW_HOST_DEVICE RW_OUT_OF_LINE void shape(ring::Context& context, int station, const Job& job,
                                           const Span& span, std::byte* reply, bool waits) {
    const synth::LaneGroup group{context.block_lane() % synth::LaneGroup::width()};
    const std::ptrdiff_t at = bus_place(station, job, span);
    if (!waits) mix_all(context, station, job, span, false);
    synth::shape_station(
        group, rates, span.header, playing_[station] != 0, constants_[station], states_[station],
        memory_ + static_cast<std::ptrdiff_t>(station) * floats, bus_ + at,
        [&](int, int) {
          if (waits) context.sync_block();
        },
        StationRow{output_, reply, static_cast<std::size_t>(at), static_cast<std::uint32_t>(station),
                   is_pcm != 0});
  }

  /// The voices of a station and its bass and treble, a chunk after the other; `waits` for the voices of
  /// each.
  RW_HOST_DEVICE RW_OUT_OF_LINE void mix_all(ring::Context& context, int station, const Job& job,
                                             const Span& span, bool waits = true) {
    const synth::LaneGroup group{context.block_lane() % synth::LaneGroup::width()};
    synth::BusFrame* const bus = bus_ + bus_place(station, job, span);
    const bool plays = playing_[station] != 0;
    synth::TonePass tone(group, rates.tone, constants_[station], states_[station]);
    int count = 0;
    for (int first = 0; first < span.header.frames; first += count) {
      const std::int64_t clock = span.header.clock + first;
      count = least(synth::kChunkFrames - static_cast<int>(clock % synth::kChunkFrames),
                    span.header.frames - first);
      if (waits) context.sync_block();
      for (int n = first + group.lane; n < first + count; n += synth::LaneGroup::width())
        bus[n] = mixed(station, n);
      group.sync();
      if (plays) tone.run(clock, count, bus + first);
    }
    if (plays) tone.finish(states_[station]);
    group.sync();
  }

  /// A frame of a station, as its voices played it.
  [[nodiscard]] RW_HOST_DEVICE synth::BusFrame mixed(int station, int n) const {
    const synth::BusFrame* const played =
        played_ + static_cast<std::ptrdiff_t>(station) * slots * kSpanFrames;
    const int count = sounding_counts_[station];
    synth::BusFrame sum{0, 0};
#if defined(__CUDA_ARCH__)
#pragma unroll 8
#endif
    for (int k = 0; k < count; ++k) {
      const synth::BusFrame frame = played[k * kSpanFrames + n];
      sum.left += frame.left;
      sum.right += frame.right;
    }
    return sum;
  }

  /// Where a span of a station begins, in the bus and in the output.
  [[nodiscard]] RW_HOST_DEVICE static std::ptrdiff_t bus_place(int station, const Job& job,
                                                               const Span& span) {
    return static_cast<std::ptrdiff_t>(station) * job.header->frames + span.first;
  }

  /// For the gain of the blocks after; a lane a station.
  RW_HOST_DEVICE RW_OUT_OF_LINE void measure(ring::Context& context, const Header& block) {
    using synth::LoudnessRule;
    for (int station = first_of(context) + context.block_lane() * context.blocks(); station < block.stations;
         station += context.lanes()) {
      const synth::StationRule::Constants& constants = constants_[station];
      if (playing_[station] == 0 || constants.loudness.target <= 0) continue;
      const LoudnessRule::Rates loudness = rates.loudness;
      synth::StationRule::State& kept = states_[station];
      LoudnessRule::Side left = kept.sides[0];
      LoudnessRule::Side right = kept.sides[1];
      const synth::BusFrame* const bus = bus_ + station * block.frames;
      const std::int64_t before = constants.start_frame - block.clock;
      for (int n = before > 0 ? static_cast<int>(before) : 0; n < block.frames; ++n) {
        const synth::BusFrame frame = bus[n];
        LoudnessRule::step(loudness, left, frame.left);
        LoudnessRule::step(loudness, right, frame.right);
        const unsigned own = synth::StationRule::own_clock(constants, block.clock + n + 1);
        if (own % LoudnessRule::kHopFrames != 0) continue;
        LoudnessRule::advance(loudness, constants.loudness, kept.loudness, own / LoudnessRule::kHopFrames - 1,
                              left.energy + right.energy);
        left.energy = right.energy = 0;
      }
      kept.sides[0] = left;
      kept.sides[1] = right;
    }
  }

  std::int64_t clock_ = 0;        // of the next block
  std::int64_t last_clock_ = -1;  // of the block that output_ holds
  std::int32_t last_frames_ = 0;
  std::int32_t strangers_[kMostBlocks]{};  // of each block: a request names what is not there
  std::int32_t sounding_counts_[kMostStations]{};
  std::int16_t sounding_[kMostVoices]{};  // of a station, those that have something to do
  std::uint8_t playing_[kMostStations]{};
  std::uint8_t patch_numbers_[kMostVoices]{};
  std::int32_t first_events_[kMostVoices]{};  // of the block, from 1 on; 0: none
  synth::StationRule::Constants constants_[kMostStations]{};
  synth::StationRule::State states_[kMostStations]{};
  synth::VoiceRule::State voices_[kMostVoices]{};
  synth::BusFrame bus_[kMostBlockBytes / sizeof(PcmFrame)]{};
  synth::BusFrame played_[kMostVoices * kSpanFrames]{};  // [row][frame]
  alignas(16) std::byte output_[kMostBlockBytes]{};
  float memory_[kMostFloats]{};  // [station][float]
};

}  // namespace ringwave::live
