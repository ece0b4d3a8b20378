// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ringwave/core/realtime.hpp"
#include "ringwave/music/conductor.hpp"
#include "ringwave/synth/midi_performance.hpp"
#include "ringwave/synth/patch.hpp"
#include "ringwave/synth/voice_allocator.hpp"
#include "ringwave/synth/voice_event.hpp"

namespace ringwave::synth {

/// Plays the notes of one station on its voices: says which voice begins, is let go, fades or bends at which
/// frame of a block. It knows the clock alone, so it runs ahead of any device, and what happens does not
/// depend on how time is cut into blocks.
class Performer {
 public:
  struct Note {
    std::int64_t begin_frame = 0;
    std::int64_t end_frame = 0;  ///< where it is let go
    float key = 60;
    float velocity = 1;  ///< 0 to 1
    float pan = 0;       ///< -1 to 1
    std::uint8_t patch = 0;
    std::uint8_t channel = 0;  ///< that bends together
  };
  struct Bend {
    std::int64_t frame = 0;
    std::uint8_t channel = 0;  ///< 0 to 15
    float semitones = 0;
  };
  struct Spec {
    int station = 0;
    int voices = 16;  ///< that sound at a time
    int spares = 4;   ///< for those that fade
    int sample_rate_hz = 48000;
  };

  /// The patches that notes name by number, as the renderer has them. Throws InvalidArgument as
  /// VoiceAllocator does. [setup]
  Performer(Spec spec, std::span<const Patch> patches);

  /// Room for so many notes to come: within it add() allocates nothing. [setup]
  void reserve(std::size_t notes) { notes_.reserve(notes); }

  /// Notes and bends to come, each in the order of time and after those before. [setup], and notes [audio]
  /// where there is room.
  void add(std::span<const Note> notes);
  void add_bends(std::span<const Bend> bends);

  /// Appends what happens in the next `frames` frames, which begin at clock(), for a block that begins
  /// `first` frames before. [audio] where `events` has room for 3 events a note and one a voice and bend.
  void perform(int frames, int first, std::vector<VoiceEvent>& events);

  /// The next frame to be performed. [any]
  [[nodiscard]] std::int64_t clock() const noexcept { return clock_; }
  /// Voices that can be heard there. [any]
  [[nodiscard]] int sounding() const noexcept { return allocator_.sounding(clock_); }
  /// True once all that was added has died away. [any]
  [[nodiscard]] bool is_done() const noexcept { return next_note_ == notes_.size() && sounding() == 0; }
  [[nodiscard]] const VoiceAllocator& allocator() const noexcept { return allocator_; }

 private:
  struct Voice {
    std::int64_t end_frame = 0;
    float key = 60;  ///< without the bend
    std::uint8_t channel = 0;
    bool held = false;
  };

  void begin(const Note& note, int first, std::vector<VoiceEvent>& events);
  void let_go(std::int64_t before, int first, std::vector<VoiceEvent>& events);
  void bend(const Bend& bend, int first, std::vector<VoiceEvent>& events);

  Spec spec_;
  VoiceAllocator allocator_;
  std::vector<std::int64_t> tails_;  // of each patch
  std::vector<Voice> voices_;
  std::vector<Note> notes_;
  std::vector<Bend> bends_;
  std::size_t next_note_ = 0;
  std::size_t next_bend_ = 0;
  std::vector<float> semitones_;  // of each channel
  std::int64_t clock_ = 0;
};

/// Notes of a piece as the built-in patches play them: each layer has its place between left and right.
/// [setup]
[[nodiscard]] std::vector<Performer::Note> notes_of(std::span<const music::TimedNote> notes);

/// A MIDI file's. [setup]
[[nodiscard]] std::vector<Performer::Note> notes_of(const MidiPerformance& performance);
[[nodiscard]] std::vector<Performer::Bend> bends_of(const MidiPerformance& performance);

}  // namespace ringwave::synth
