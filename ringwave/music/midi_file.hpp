// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "ringwave/music/note.hpp"

namespace ringwave::music {

/// A standard MIDI file of format 0 or 1: what its tracks hold, in one list in the order of time.
class MidiFile {
 public:
  static constexpr std::size_t kLargestBytes = std::size_t{64} << 20;
  static constexpr std::int64_t kLatestTick = std::int64_t{1} << 40;

  enum class Kind : std::uint8_t {
    note_off,  ///< `a` is the pitch, `b` the velocity
    note_on,   ///< `b` is never 0
    pressure,  ///< of one key
    control,   ///< `a` is the controller, `b` its value
    program,   ///< `a`
    channel_pressure,
    bend,  ///< a + 128 b, 8192 is the middle
  };

  /// What a channel is told.
  struct Event {
    std::int64_t tick = 0;
    Kind kind = Kind::note_on;
    std::uint8_t channel = 0;  ///< 0 to 15; 9 is percussion
    std::uint8_t a = 0;        ///< 0 to 127
    std::uint8_t b = 0;
    std::uint16_t track = 0;

    friend bool operator==(const Event&, const Event&) = default;
  };

  struct Tempo {
    std::int64_t tick = 0;
    int microseconds_per_beat = 500'000;
    friend bool operator==(const Tempo&, const Tempo&) = default;
  };

  struct Signature {
    std::int64_t tick = 0;
    int beats = 4;
    int unit = 4;  ///< the note that a beat is: 4 for a quarter, 8 for an eighth
    friend bool operator==(const Signature&, const Signature&) = default;
  };

  int ticks_per_beat = kTicksPerBeat;    ///< 0 where time is counted in frames of film, whatever the tempo
  int frames_per_second = 0;             ///< of film: 24, 25, 29, which is 30 / 1.001, or 30
  int ticks_per_frame = 0;               ///< of film
  std::vector<Event> events;             ///< by tick; where those are equal as the tracks come
  std::vector<Tempo> tempi;              ///< by tick; before the first it is 120 beats a minute
  std::vector<Signature> signatures;     ///< by tick
  std::vector<std::string> track_names;  ///< of every track, empty where it has none
  std::int64_t end_tick = 0;             ///< of the longest track

  /// Throws BadFile for what is no such file, is torn, or is larger than kLargestBytes or later than
  /// kLatestTick; the sentence says where. `name` stands for the file. [setup]
  [[nodiscard]] static MidiFile parse(std::span<const std::uint8_t> bytes, const std::string& name);
  [[nodiscard]] static MidiFile load(const std::filesystem::path& path);

  /// A piece as General MIDI plays it: every layer is a track and a channel of its own, percussion on channel
  /// 10. Throws InvalidArgument for a tempo that MIDI has no number for. [setup]
  [[nodiscard]] static MidiFile of_notes(std::span<const Note> notes, double bpm, std::int64_t bars);

  /// The bytes of a file of format 1. [setup]
  [[nodiscard]] std::vector<std::uint8_t> bytes() const;
};

}  // namespace ringwave::music
