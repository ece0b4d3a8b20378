// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ringwave/music/midi_file.hpp"

namespace ringwave::synth {

/// A MIDI file as it is to be heard: every note with its end, its voice and its place, in frames of audio.
/// The pedal holds what is let go while it is down; a key that is struck again while it sounds is a note of
/// its own, and the older one ends first. Volume and expression are part of a note's velocity.
struct MidiPerformance {
  struct Note {
    std::int64_t begin_frame = 0;
    std::int64_t end_frame = 0;   ///< where it is let go; not before begin_frame
    std::string_view voice = "";  ///< a built-in patch
    float key = 60;
    float velocity = 1;  ///< 0 to 1
    float pan = 0;       ///< -1 to 1
    std::uint8_t channel = 0;
  };

  /// From here on all notes of a channel sound so many semitones higher.
  struct Bend {
    std::int64_t frame = 0;
    std::uint8_t channel = 0;
    float semitones = 0;
  };

  /// Throws InvalidArgument for a rate below 1 Hz. [setup]
  MidiPerformance(const music::MidiFile& file, int sample_rate_hz);

  std::vector<Note> notes;     ///< in the order in which they begin
  std::vector<Bend> bends;     ///< in the order of time
  std::int64_t end_frame = 0;  ///< of the file
};

/// The built-in patch that comes nearest to a program of General MIDI, 0 to 127: by its family. [any]
[[nodiscard]] std::string_view voice_of_program(int program) noexcept;

/// The same of a key of General MIDI's percussion. [any]
[[nodiscard]] std::string_view voice_of_percussion(int key) noexcept;

}  // namespace ringwave::synth
