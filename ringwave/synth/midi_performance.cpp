// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/midi_performance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "ringwave/core/error.hpp"
#include "ringwave/music/midi_clock.hpp"

namespace ringwave::synth {
namespace {

using Kind = music::MidiFile::Kind;

constexpr int kPercussion = 9;
constexpr int kPedalDown = 64;

/// Controllers, by the numbers that MIDI gives them.
enum Controller : int {
  kDataEntry = 6,
  kVolume = 7,
  kPan = 10,
  kExpression = 11,
  kSustain = 64,
  kParameterLow = 100,
  kParameterHigh = 101,
  kSoundOff = 120,
  kResetControllers = 121,
  kNotesOff = 123,
};

/// What a channel is set to, and its notes that have no end yet.
class Channel {
 public:
  /// Where more sound than there are keys, the oldest ends: a file could else make us search for hours.
  template <class End>
  void begin(std::size_t note, int key, End end) {
    if (open_.size() == kMostOpen) {
      end(open_.front().note);
      open_.erase(open_.begin());
    }
    open_.push_back({note, key, true});
  }

  /// The oldest note of a key that is held; with the pedal down it sounds on.
  template <class End>
  void let_go(int key, End end) {
    const auto found =
        std::ranges::find_if(open_, [key](const Open& open) { return open.key == key && open.held; });
    if (found == open_.end()) return;
    if (pedal_) {
      found->held = false;
      return;
    }
    end(found->note);
    open_.erase(found);
  }

  template <class End>
  void let_all_go(End end) {
    for (const Open& open : open_) end(open.note);
    open_.clear();
  }

  template <class End>
  void set_pedal(bool down, End end) {
    pedal_ = down;
    if (down) return;
    for (const Open& open : open_)
      if (!open.held) end(open.note);
    std::erase_if(open_, [](const Open& open) { return !open.held; });
  }

  void control(int controller, int value) {
    if (controller == kVolume) volume = value;
    if (controller == kExpression) expression = value;
    if (controller == kPan) pan = value;
    if (controller == kParameterHigh) parameter_high_ = value;
    if (controller == kParameterLow) parameter_low_ = value;
    if (controller == kDataEntry && parameter_high_ == 0 && parameter_low_ == 0)
      bend_range = std::min(value, 24);
    if (controller == kResetControllers) expression = 127;
  }

  int program = 0;
  int volume = 100;
  int expression = 127;
  int pan = 64;
  int bend_range = 2;  // semitones

 private:
  static constexpr std::size_t kMostOpen = 128;

  struct Open {
    std::size_t note;
    int key;
    bool held;  // false: only the pedal keeps it
  };
  std::vector<Open> open_;
  bool pedal_ = false;
  int parameter_high_ = 127;  // none is chosen
  int parameter_low_ = 127;
};

float share(int value) noexcept {
  return static_cast<float>(value) / 127;
}

}  // namespace

std::string_view voice_of_program(int program) noexcept {
  // Piano, chromatic percussion, organ, guitar; bass, strings, ensemble, brass; reed, pipe, synth lead, synth
  // pad; synth effects, ethnic, percussive, sound effects.
  constexpr std::array<std::string_view, 16> kFamilies{"pluck", "bell",  "lead", "pluck", "bass", "pad",
                                                       "pad",   "lead",  "lead", "lead",  "lead", "pad",
                                                       "swell", "pluck", "bell", "swell"};
  return kFamilies[static_cast<std::size_t>(std::clamp(program, 0, 127) / 8)];
}

std::string_view voice_of_percussion(int key) noexcept {
  constexpr std::array kDrums{35, 36, 41, 43, 45, 47, 48, 50};  // bass drums and toms
  return std::ranges::find(kDrums, key) != kDrums.end() ? "kick" : "hat";
}

MidiPerformance::MidiPerformance(const music::MidiFile& file, int sample_rate_hz) {
  if (sample_rate_hz < 1)
    throw InvalidArgument("a MIDI file was asked for at " + std::to_string(sample_rate_hz) +
                          " Hz; use 1 Hz or more");
  const music::MidiClock clock(file);
  const auto frame_at = [&](std::int64_t tick) {
    return std::llround(clock.seconds_at(tick) * sample_rate_hz);
  };
  end_frame = frame_at(file.end_tick);
  std::array<Channel, 16> channels;
  for (const music::MidiFile::Event& event : file.events) {
    Channel& channel = channels[event.channel];
    const std::int64_t frame = frame_at(event.tick);
    const auto end = [&](std::size_t note) { notes[note].end_frame = frame; };
    switch (event.kind) {
      case Kind::note_on: {
        const bool is_drum = event.channel == kPercussion;
        channel.begin(notes.size(), event.a, end);
        notes.push_back({.begin_frame = frame,
                         .end_frame = end_frame,
                         .voice = is_drum ? voice_of_percussion(event.a) : voice_of_program(channel.program),
                         .key = static_cast<float>(event.a),
                         .velocity = share(event.b) * share(channel.volume) * share(channel.expression),
                         .pan = std::clamp(static_cast<float>(channel.pan - 64) / 63, -1.0F, 1.0F),
                         .channel = event.channel});
        break;
      }
      case Kind::note_off:
        channel.let_go(event.a, end);
        break;
      case Kind::control:
        if (event.a == kSustain) channel.set_pedal(event.b >= kPedalDown, end);
        if (event.a == kSoundOff || event.a == kNotesOff) channel.let_all_go(end);
        if (event.a == kResetControllers) channel.set_pedal(false, end);
        channel.control(event.a, event.b);
        break;
      case Kind::program:
        channel.program = event.a;
        break;
      case Kind::bend: {
        const float turned = static_cast<float>(event.a + 128 * event.b - 8192) / 8192;
        bends.push_back({frame, event.channel, turned * static_cast<float>(channel.bend_range)});
        break;
      }
      case Kind::pressure:
      case Kind::channel_pressure:
        break;
    }
  }
}

}  // namespace ringwave::synth
