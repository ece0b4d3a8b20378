// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ringwave/core/realtime.hpp"
#include "ringwave/synth/voice_event.hpp"
#include "ringwave/synth/voice_lanes_cpu.hpp"
#include "ringwave/synth/voice_math.hpp"

namespace ringwave::synth {

/// Plays the voices of some stations through a block, those of one patch side by side, whichever station they
/// belong to:
///
///   voices.sit(own, events);      // once for each station
///   voices.play(clock, 0, 32);    // chunk by chunk
///   voices.add(0, left, right);   // what the first station hears of the chunk
///   voices.leave();               // the states are where they came from
///
/// What is heard is what VoiceRule makes of each voice alone, added up in the order of the voices, to the
/// bit. In a chunk in which something happens to it, a voice is played alone; so is the only one of its
/// patch.
class VoicesCpu {
 public:
  struct Voice {
    VoiceRule::State state{};
    std::uint8_t patch = 0;
  };

  /// The patches are kept by the caller; at most `most_stations` with `most_voices` in all come together.
  /// [setup]
  VoicesCpu(std::span<const VoiceRule::Constants> patches, std::size_t most_stations,
            std::size_t most_voices);

  /// The voices of the next station, with the events of the block, by voice and then in time. [audio]
  RW_REALTIME void sit(std::span<Voice> voices, std::span<const VoiceEvent> events) noexcept;

  /// Plays up to kChunkFrames frames of all, from frame `clock` on, which is frame `first` of the block; no
  /// multiple of kChunkFrames lies within them. [audio]
  RW_REALTIME void play(std::int64_t clock, int first, int frames) noexcept;

  /// Adds what the station that came as number `station` played last. [audio]
  RW_REALTIME void add(std::size_t station, std::span<float> left, std::span<float> right) const noexcept;

  /// All give their seats back. [audio]
  RW_REALTIME void leave() noexcept;

 private:
  /// Voices of one patch.
  struct Row {
    VoiceLanes lanes{};
    VoiceRows played{};
    std::uint8_t patch = 0;
    std::size_t voices = 0;

    [[nodiscard]] bool is_silent() const noexcept;
    /// One voice in 16 lanes takes longer than one alone.
    [[nodiscard]] bool is_shared() const noexcept { return voices > 1; }
  };
  /// A voice in its seat.
  struct Player {
    Voice* voice;
    Row* row;
    std::size_t lane;
    std::span<const VoiceEvent> events;  ///< to come
    bool alone = false;                  ///< in this chunk
    bool heard = false;

    /// Its state is in the row, and not with the voice.
    [[nodiscard]] bool is_seated() const noexcept { return voice->patch == row->patch; }
  };

  void take_seat(Voice& voice, std::span<const VoiceEvent> events) noexcept;
  [[nodiscard]] Row& row_of(std::uint8_t patch) noexcept;
  void play_alone(Player& player, std::int64_t clock, int first, int frames) noexcept;

  std::span<const VoiceRule::Constants> patches_;
  std::vector<Row> rows_;  // the first `used_`
  std::size_t used_ = 0;
  std::vector<Row*> open_;             // of each patch, the row with a free seat
  std::vector<Player> players_;        // by station, then by voice
  std::vector<std::size_t> stations_;  // where the players of each begin, and the end
};

}  // namespace ringwave::synth
