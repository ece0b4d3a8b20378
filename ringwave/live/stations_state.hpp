// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "ringwave/core/host_device.hpp"
#include "ringwave/core/out_of_line.hpp"
#include "ringwave/live/stations_job.hpp"
#include "ringwave/live/stations_rows.hpp"
#include "ringwave/live/voice_prospect.hpp"
#include "ringwave/ring/context.hpp"
#include "ringwave/ring/message.hpp"
#include "ringwave/synth/renderer_twins.hpp"
#include "ringwave/synth/station_pass.hpp"
#include "ringwave/synth/voice_pass.hpp"

namespace ringwave::live {

/// What the kernel of live stations keeps from block to block, how commands and events change it, and which
/// stations are whose: each block of the kernel has its own.
struct StationsState {
  static constexpr int kMostStations = 32;
  static constexpr int kMostBlocks = kMostStations + 1;  ///< of the kernel
  static constexpr int kMostLanes = 416;                 ///< of a block
  static constexpr int kMostVoices = 640;                ///< of all stations together
  static constexpr int kMostPatches = 64;
  static constexpr int kMostEvents = 512;
  static constexpr int kMostCommands = 128;
  static constexpr std::size_t kMostFloats = 1'450'000;  ///< of all effects: 32 stations at 48 kHz
  static constexpr std::size_t kMostBlockBytes = ring::kMostPayloadBytes;

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

 protected:
  /// The first station of the lane's block, which has every blocks()-th from there on. The first block, which
  /// has the messages to find, is the last that gets one.
  [[nodiscard]] RW_HOST_DEVICE static int first_of(const ring::Context& context) {
    return context.blocks() - 1 - context.block();
  }

  [[nodiscard]] RW_HOST_DEVICE static int station_of(const ring::Context& context, int i) {
    return first_of(context) + i * context.blocks();
  }

  /// How many they are.
  [[nodiscard]] RW_HOST_DEVICE static int own_stations(const ring::Context& context, const Header& block) {
    return (block.stations - first_of(context) + context.blocks() - 1) / context.blocks();
  }

  [[nodiscard]] RW_HOST_DEVICE std::size_t block_bytes(const Header& block) const {
    return static_cast<std::size_t>(block.stations) * static_cast<std::size_t>(block.frames) *
           (is_pcm != 0 ? sizeof(PcmFrame) : sizeof(synth::BusFrame));
  }

  /// All counts and numbers are in their ranges, and what is counted is there. The same in every block.
  [[nodiscard]] RW_HOST_DEVICE bool is_whole(ring::Context& context, const ring::Message& message,
                                             const StationsJob& job) {
    if (message.bytes() < sizeof(Header)) return false;
    const Header& block = *job.header;
    const bool in_range = block.clock >= 0 && block.frames > 0 &&
                          block.frames <= synth::LoudnessRule::kHopFrames && block.stations >= 0 &&
                          block.stations <= stations && block.events >= 0 && block.events <= kMostEvents &&
                          block.commands >= 0 && block.commands <= kMostCommands;
    if (!in_range || block_bytes(block) > kMostBlockBytes ||
        message.bytes() < sizeof(Header) + static_cast<std::size_t>(block.commands) * sizeof(Command) +
                              static_cast<std::size_t>(block.events) * sizeof(Event))
      return false;
    return (block.commands == 0 && block.events == 0) || names_what_is_there(context, job);
  }

  /// Starts, changes and ends stations, and finds each voice's first event.
  RW_HOST_DEVICE RW_OUT_OF_LINE void obey(ring::Context& context, const StationsJob& job, bool anew) {
    const int lane = context.block_lane();
    const int lanes = context.block_lanes();
    const bool is_changed = anew || job.header->commands > 0;
    for (int station = first_of(context); is_changed && station < stations; station += context.blocks()) {
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
    constexpr int kWidth = synth::LaneGroup::width();
    const synth::LaneGroup group{lane % kWidth};
    for (int station = station_of(context, lane / kWidth); station < stations;
         station += lanes / kWidth * context.blocks())
      call_the_roll(group, station);
    context.sync_block();
  }

  /// The first frame that a station plays on the clock; none of those that come where it does not play.
  [[nodiscard]] RW_HOST_DEVICE std::int64_t start_of(int station) const {
    return playing_[station] != 0 ? constants_[station].start_frame
                                  : std::numeric_limits<std::int64_t>::max();
  }

  /// Where a voice's frames go; null where there is none.
  [[nodiscard]] RW_HOST_DEVICE synth::BusFrame* row_of(int number) {
    return number < 0 ? nullptr : played_ + static_cast<std::ptrdiff_t>(number) * StationsSpan::kMostFrames;
  }

  [[nodiscard]] RW_HOST_DEVICE float* memory_of(int station) {
    return memory_ + static_cast<std::ptrdiff_t>(station) * floats;
  }

  std::int64_t clock_ = 0;                   // of the next block
  std::int64_t last_clock_ = -1;             // of the block that output_ holds
  std::int64_t foreseen_ns_[kMostBlocks]{};  // of each block: of the message after which it was foreseen
  std::int32_t last_frames_ = 0;
  std::int32_t sounding_counts_[kMostStations]{};
  std::int16_t sounding_[kMostVoices]{};  // of a station, those that have something to do
  std::uint8_t playing_[kMostStations]{};
  std::uint8_t patch_numbers_[kMostVoices]{};
  std::int32_t first_events_[kMostVoices]{};  // of the block, from 1 on; 0: none
  std::int32_t next_events_[kMostVoices]{};   // the same, after what was just played
  synth::StationRule::Constants constants_[kMostStations]{};
  synth::StationRule::State states_[kMostStations]{};
  synth::VoiceRule::State voices_[kMostVoices]{};
  synth::BusFrame bus_[kMostBlockBytes / sizeof(PcmFrame)]{};
  VoiceProspect prospects_[kMostVoices]{};
  synth::BusFrame played_[kMostVoices * StationsSpan::kMostFrames]{};  // [voice][frame]
  alignas(16) std::byte output_[kMostBlockBytes]{};
  float memory_[kMostFloats]{};  // [station][float]

 private:
  [[nodiscard]] RW_HOST_DEVICE bool names_what_is_there(ring::Context& context, const StationsJob& job) {
    bool is_stranger = false;
    for (int i = context.block_lane(); i < job.header->commands; i += context.block_lanes()) {
      const Command& command = job.commands[i];
      is_stranger = is_stranger || command.station < 0 || command.station >= stations;
    }
    for (int i = context.block_lane(); i < job.header->events; i += context.block_lanes()) {
      const Event& event = job.events[i];
      is_stranger = is_stranger || event.station < 0 || event.station >= job.header->stations ||
                    event.frame < 0 || event.frame >= job.header->frames || event.voice < 0 ||
                    event.voice >= slots || event.patch >= kMostPatches;
    }
    return !context.any_in_block(is_stranger);
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
    float* const memory = memory_of(station);
    for (int n = context.block_lane(); n < floats; n += context.block_lanes()) memory[n] = 0;
    const synth::VoiceRule::State silent;
    for (int slot = context.block_lane(); slot < slots; slot += context.block_lanes()) {
      voices_[station * slots + slot] = silent;
      prospects_[station * slots + slot].made_ns = 0;
    }
  }

  /// Which voices of a station have something to do, until the next block with a command or an event.
  RW_HOST_DEVICE void call_the_roll(const synth::LaneGroup& group, int station) {
    int count = 0;
    for (int first = 0; first < slots; first += synth::LaneGroup::width()) {
      const int slot = first + group.lane;
      const int voice = station * slots + slot;
      const bool is_there = slot < slots;
      if (is_there && playing_[station] == 0) first_events_[voice] = 0;  // it ends now
      const bool sounds = is_there && playing_[station] != 0 &&
                          (first_events_[voice] > 0 || !synth::VoiceRule::is_silent(voices_[voice]));
      const std::uint32_t them = group.who(sounds);
      if (sounds) sounding_[station * slots + count + group.before(them)] = static_cast<std::int16_t>(voice);
      count += synth::LaneGroup::count(them);
    }
    if (group.lane == 0) sounding_counts_[station] = count;
  }
};

}  // namespace ringwave::live
