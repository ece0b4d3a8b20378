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

/// Renders the next block of some stations for every message: the renderer as a ring kernel. The passes are
/// the renderer's own, one after the other over all stations:
///
///   voices  a lane a voice; lanes whose waves differ lie in different warps
///   mix     a lane a frame, its voices in their order
///   tone    a lane a side
///   shape   a warp a station, a lane a frame of a chunk: chorus, echo, room, gain, ceiling
///   measure how loud it was, once the block is on its way
///
/// The request is a RenderHeader, its commands and its events, as the renderer's twins get them; the reply is
/// the block, [station][frame][side]. A block that comes again is answered again; one that is not the next
/// is not rendered.
struct StationsHandler {
  static constexpr const char* kName = "live_stations";

  static constexpr int kMostStations = 32;
  static constexpr int kMostVoices = 640;  ///< of all stations together
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
    if (message.bytes() < sizeof(Header)) {
      context.fail(kTorn);
      return;
    }
    if (context.lane() == 0) block_ = *reinterpret_cast<const Header*>(message.data());
    context.sync();
    if (!is_whole(message)) {
      context.fail(kTorn);
      return;
    }
    const bool anew = message.argument() == kAnew;
    if (!anew && block_.clock != clock_) {
      if (block_.clock == last_clock_ && block_.frames == last_frames_)
        context.reply(output_, block_bytes(), kRender);
      else
        context.reply(nullptr, 0, kOutOfStep);
      return;
    }
    const auto* const commands = reinterpret_cast<const Command*>(message.data() + sizeof(Header));
    obey(context, commands, reinterpret_cast<const Event*>(commands + block_.commands), anew);
    auto reply = context.reply_view<std::byte>(block_bytes());
    for (int first = 0; first < block_.frames; first += kSpanFrames)
      render_span(context, first, reply.data());
    context.sync();
    if (context.lane() == 0) {
      clock_ = block_.clock + block_.frames;
      last_clock_ = block_.clock;
      last_frames_ = block_.frames;
    }
    context.send_reply();
    measure(context.lane(), context.lanes());
  }

 private:
  static constexpr int kIdle = synth::VoicePass::kRanks;  // rank of a voice that has nothing to do
  static constexpr int kMostSeats = kMostVoices + synth::VoicePass::kRanks * 32;

  struct alignas(4) PcmFrame {
    std::int16_t left;
    std::int16_t right;
  };

  /// Where a voice's frames go.
  struct VoiceRow {
    synth::BusFrame* frames;

    RW_HOST_DEVICE void operator()(int n, synth::VoiceRule::Frame frame) const {
      frames[n] = {frame.left, frame.right};
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

  [[nodiscard]] RW_HOST_DEVICE static int least(int a, int b) {
    return a < b ? a : b;
  }

  RW_HOST_DEVICE static void count_up(std::int32_t& counter) {
#if defined(__CUDA_ARCH__)
    atomicAdd(&counter, 1);
#else
    ++counter;
#endif
  }

  [[nodiscard]] RW_HOST_DEVICE std::size_t block_bytes() const {
    return static_cast<std::size_t>(block_.stations) * static_cast<std::size_t>(block_.frames) *
           (is_pcm != 0 ? sizeof(PcmFrame) : sizeof(synth::BusFrame));
  }

  /// All counts are in their ranges, and what they count is there.
  [[nodiscard]] RW_HOST_DEVICE bool is_whole(const ring::Message& message) const {
    const bool in_range = block_.frames > 0 && block_.frames <= synth::LoudnessRule::kHopFrames &&
                          block_.stations >= 0 && block_.stations <= stations && block_.events >= 0 &&
                          block_.events <= kMostEvents && block_.commands >= 0 &&
                          block_.commands <= kMostCommands;
    return in_range && block_bytes() <= kMostBlockBytes &&
           message.bytes() >= sizeof(Header) + static_cast<std::size_t>(block_.commands) * sizeof(Command) +
                                  static_cast<std::size_t>(block_.events) * sizeof(Event);
  }

  /// Starts, changes and ends stations, and finds each voice's first event.
  RW_HOST_DEVICE void obey(ring::Context& context, const Command* commands, const Event* events, bool anew) {
    const int lane = context.lane();
    const int lanes = context.lanes();
    if (anew) {
      for (int i = lane; i < kMostStations; i += lanes) playing_[i] = 0;
      for (int i = lane; i < kMostVoices; i += lanes) first_events_[i] = 0;
      context.sync();
    }
    if (block_.commands == 0 && block_.events == 0 && !anew) return;
    for (int i = 0; i < block_.commands; ++i) obey(context, commands[i]);
    // Word by word: they may lie beyond the bus.
    const auto* const from = reinterpret_cast<const std::uint32_t*>(events);
    auto* const to = reinterpret_cast<std::uint32_t*>(events_);
    const int words = block_.events * static_cast<int>(sizeof(Event) / sizeof(std::uint32_t));
    for (int i = lane; i < words; i += lanes) to[i] = from[i];
    context.sync();
    for (int i = lane; i < block_.events; i += lanes) {
      const Event& event = events_[i];
      const bool is_first =
          i == 0 || events_[i - 1].station != event.station || events_[i - 1].voice != event.voice;
      if (is_first) first_events_[event.station * slots + event.voice] = i + 1;
    }
    context.sync();
    take_seats(context);
  }

  RW_HOST_DEVICE void obey(ring::Context& context, const Command& command) {
    const auto kind = command.kind;
    const int station = command.station;
    if (context.lane() == 0) {
      playing_[station] = kind == Command::Kind::end ? 0 : 1;
      if (kind != Command::Kind::end) constants_[station] = command.constants;
      if (kind == Command::Kind::start)
        synth::StationRule::start(rates, constants_[station], states_[station]);
    }
    if (kind != Command::Kind::start) return;
    float* const memory = memory_ + static_cast<std::ptrdiff_t>(station) * floats;
    for (int n = context.lane(); n < floats; n += context.lanes()) memory[n] = 0;
    const synth::VoiceRule::State silent;
    for (int slot = context.lane(); slot < slots; slot += context.lanes())
      voices_[station * slots + slot] = silent;
  }

  /// A lane for each voice that plays, until the next block with a command or an event. Where there are lanes
  /// enough, voices with other waves begin another warp: what differs in a warp is done one after the other.
  RW_HOST_DEVICE void take_seats(ring::Context& context) {
    const int lane = context.lane();
    const int lanes = context.lanes();
    const int voices = stations * slots;
    for (int i = lane; i <= kIdle; i += lanes) rank_counts_[i] = 0;
    for (int i = lane; i < kMostSeats; i += lanes) seats_[i] = -1;
    context.sync();
    for (int voice = lane; voice < voices; voice += lanes) {
      ranks_[voice] = static_cast<std::uint8_t>(rank_of(voice));
      if (ranks_[voice] == kIdle) first_events_[voice] = 0;  // of a station that ends now
      count_up(rank_counts_[ranks_[voice]]);
    }
    context.sync();
    int seats = 0;
    for (int rank = 0; rank < kIdle; ++rank) seats += whole_groups(rank_counts_[rank]);
    const bool apart = seats <= lanes;
    for (int voice = lane; voice < voices; voice += lanes) {
      const int own = ranks_[voice];
      if (own == kIdle) continue;
      int seat = 0;
      for (int rank = 0; rank < own; ++rank)
        seat += apart ? whole_groups(rank_counts_[rank]) : rank_counts_[rank];
      for (int other = 0; other < voice; ++other) seat += ranks_[other] == own ? 1 : 0;
      seats_[seat] = static_cast<std::int16_t>(voice);
    }
    if (lane == 0) seat_count_ = apart ? seats : voices - rank_counts_[kIdle];
    for (int station = lane; station < stations; station += lanes) {
      int count = 0;
      for (int voice = station * slots; voice < (station + 1) * slots; ++voice)
        if (ranks_[voice] != kIdle) sounding_[station * slots + count++] = static_cast<std::int16_t>(voice);
      sounding_counts_[station] = count;
    }
    context.sync();
  }

  [[nodiscard]] RW_HOST_DEVICE static int whole_groups(int count) {
    constexpr int kWidth = synth::LaneGroup::width();
    return (count + kWidth - 1) / kWidth * kWidth;
  }

  [[nodiscard]] RW_HOST_DEVICE int rank_of(int voice) const {
    if (playing_[voice / slots] == 0) return kIdle;
    int patch = patch_numbers_[voice];
    if (const int first = first_events_[voice]; first > 0)
      patch = events_[first - 1].patch;
    else if (synth::VoiceRule::is_silent(voices_[voice]))
      return kIdle;
    return synth::VoicePass::rank_of(patches[patch]);
  }

  /// Some frames of the block, from the voices to the output.
  RW_HOST_DEVICE void render_span(ring::Context& context, int first, std::byte* reply) {
    const int lane = context.lane();
    const int lanes = context.lanes();
    if (lane == 0) begin_span(first);
    for (int seat = lane; seat < seat_count_; seat += lanes)
      if (seats_[seat] >= 0) play(seats_[seat], first, least(kSpanFrames, block_.frames - first));
    context.sync();
    mix(lane, lanes, first);
    context.sync();
    for (int side = lane; side < 2 * block_.stations; side += lanes) tone(side, first);
    context.sync();
    shape(lane, lanes, first, reply);
    context.sync();
  }

  RW_HOST_DEVICE void begin_span(int first) {
    synth::SpaceRule::Places places = first == 0 ? block_.places : span_.places;
    if (first != 0)
      for (int n = 0; n < kSpanFrames; n += synth::kChunkFrames)
        places.advance(rates.space.layout, synth::kChunkFrames);
    span_ = {.clock = block_.clock + first,
             .frames = least(kSpanFrames, block_.frames - first),
             .stations = block_.stations,
             .places = places};
  }

  RW_HOST_DEVICE RW_OUT_OF_LINE void play(int number, int first, int frames) {
    using synth::VoiceRule;
    const synth::VoicePass pass{patches, events_, block_.events, block_.frames};
    synth::PlayingVoice voice;
    voice.state = voices_[number];
    voice.patch = patch_numbers_[number];
    voice.constants = patches[voice.patch];
    voice.event = first_events_[number] - 1;
    voice.event_frame = voice.event >= 0 ? events_[voice.event].frame : block_.frames;
    synth::BusFrame* const played = played_ + static_cast<std::ptrdiff_t>(number) * kSpanFrames;
    int count = 0;
    for (int done = 0; done < frames; done += count) {
      const auto in_step = static_cast<int>((block_.clock + first + done) % VoiceRule::kControlFrames);
      count = least(VoiceRule::kControlFrames - in_step, frames - done);
      const VoiceRow row{played + done};
      if (!pass.play(voice, first + done, count, in_step, row))
        for (int n = 0; n < count; ++n) row(n, {0, 0});
    }
    voices_[number] = voice.state;
    patch_numbers_[number] = static_cast<std::uint8_t>(voice.patch);
    first_events_[number] = voice.event_frame < block_.frames ? voice.event + 1 : 0;
  }

  RW_HOST_DEVICE RW_OUT_OF_LINE void mix(int lane, int lanes, int first) {
    const int frames = least(kSpanFrames, block_.frames - first);
    for (int i = lane; i < block_.stations * frames; i += lanes) {
      const int station = i / frames;
      const int n = i - station * frames;
      float left = 0;
      float right = 0;
      for (int k = 0; k < sounding_counts_[station]; ++k) {
        const synth::BusFrame frame = played_[sounding_[station * slots + k] * kSpanFrames + n];
        left += frame.left;
        right += frame.right;
      }
      bus_[station * block_.frames + first + n] = {left, right};
    }
  }

  RW_HOST_DEVICE RW_OUT_OF_LINE void tone(int side, int first) {
    using synth::ToneRule;
    constexpr int kBatch = 8;  // read before the first of them is stored
    const int station = side / 2;
    if (playing_[station] == 0) return;
    const int frames = least(kSpanFrames, block_.frames - first);
    const std::int64_t start_frame = constants_[station].start_frame;
    const ToneRule::Constants constants = constants_[station].tone;
    const ToneRule::Rates tone_rates = rates.tone;
    ToneRule::State state = states_[station].tone[side % 2];
    float* const row = reinterpret_cast<float*>(bus_ + station * block_.frames + first) + side % 2;
    int count = 0;
    for (int done = 0; done < frames; done += count) {
      const std::int64_t now = block_.clock + first + done;
      const auto in_chunk = static_cast<int>(now % synth::kChunkFrames);
      count = least(least(kBatch - in_chunk % kBatch, frames - done), kBatch);
      if (now < start_frame) continue;
      if (in_chunk == 0) ToneRule::advance(tone_rates, constants, state);
      float batch[kBatch];
      for (int n = 0; n < kBatch; ++n)
        if (n < count) batch[n] = row[2 * (done + n)];
      for (int n = 0; n < kBatch; ++n)
        if (n < count) row[2 * (done + n)] = ToneRule::step(tone_rates, state, in_chunk + n, batch[n]);
    }
    states_[station].tone[side % 2] = state;
  }

  RW_HOST_DEVICE RW_OUT_OF_LINE void shape(int lane, int lanes, int first, std::byte* reply) {
    constexpr int kWidth = synth::LaneGroup::width();
    for (int station = lane / kWidth; station < block_.stations; station += lanes / kWidth) {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(station) * block_.frames + first;
      synth::shape_station(synth::LaneGroup{lane % kWidth}, rates, span_, playing_[station] != 0,
                           constants_[station], states_[station],
                           memory_ + static_cast<std::ptrdiff_t>(station) * floats, bus_ + at,
                           StationRow{output_, reply, static_cast<std::size_t>(at),
                                      static_cast<std::uint32_t>(station), is_pcm != 0});
    }
  }

  /// For the gain of the blocks after; a lane a station.
  RW_HOST_DEVICE RW_OUT_OF_LINE void measure(int lane, int lanes) {
    using synth::LoudnessRule;
    for (int station = lane; station < block_.stations; station += lanes) {
      const synth::StationRule::Constants& constants = constants_[station];
      if (playing_[station] == 0 || constants.loudness.target <= 0) continue;
      const LoudnessRule::Rates loudness = rates.loudness;
      synth::StationRule::State& kept = states_[station];
      LoudnessRule::Side left = kept.sides[0];
      LoudnessRule::Side right = kept.sides[1];
      const synth::BusFrame* const bus = bus_ + station * block_.frames;
      const std::int64_t before = constants.start_frame - block_.clock;
      for (int n = before > 0 ? static_cast<int>(before) : 0; n < block_.frames; ++n) {
        const synth::BusFrame frame = bus[n];
        LoudnessRule::step(loudness, left, frame.left);
        LoudnessRule::step(loudness, right, frame.right);
        const unsigned own = synth::StationRule::own_clock(constants, block_.clock + n + 1);
        if (own % LoudnessRule::kHopFrames != 0) continue;
        LoudnessRule::advance(loudness, constants.loudness, kept.loudness, own / LoudnessRule::kHopFrames - 1,
                              left.energy + right.energy);
        left.energy = right.energy = 0;
      }
      kept.sides[0] = left;
      kept.sides[1] = right;
    }
  }

  Header block_{};
  Header span_{};
  std::int64_t clock_ = 0;        // of the next block
  std::int64_t last_clock_ = -1;  // of the block that output_ holds
  std::int32_t last_frames_ = 0;
  std::int32_t seat_count_ = 0;
  std::int32_t rank_counts_[kIdle + 1]{};
  std::int32_t sounding_counts_[kMostStations]{};
  std::int16_t sounding_[kMostVoices]{};  // of a station, those with a seat
  std::int16_t seats_[kMostSeats]{};      // voices; -1 where nobody sits
  std::uint8_t ranks_[kMostVoices]{};
  std::uint8_t playing_[kMostStations]{};
  std::uint8_t patch_numbers_[kMostVoices]{};
  std::int32_t first_events_[kMostVoices]{};  // of the block, from 1 on; 0: none
  Event events_[kMostEvents]{};
  synth::StationRule::Constants constants_[kMostStations]{};
  synth::StationRule::State states_[kMostStations]{};
  synth::VoiceRule::State voices_[kMostVoices]{};
  synth::BusFrame bus_[kMostBlockBytes / sizeof(PcmFrame)]{};
  synth::BusFrame played_[kMostVoices * kSpanFrames]{};
  alignas(16) std::byte output_[kMostBlockBytes]{};
  float memory_[kMostFloats]{};  // [station][float]
};

}  // namespace ringwave::live
