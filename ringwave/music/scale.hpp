// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringwave::music {

enum class Mode : unsigned char {
  ionian,  ///< major
  dorian,
  phrygian,
  lydian,
  mixolydian,
  aeolian,  ///< natural minor
  locrian,
  harmonic_minor,
  major_pentatonic,
  minor_pentatonic,
};

/// [any]
[[nodiscard]] std::string_view to_string(Mode mode) noexcept;
/// Every mode, in the order above. [any]
[[nodiscard]] std::span<const Mode> all_modes() noexcept;
/// The mode of a name; "major" and "minor" are ionian and aeolian. Throws InvalidArgument. [setup]
[[nodiscard]] Mode mode_of_name(std::string_view name);

/// A key is a pitch class, C = 0 to B = 11. Its name is a letter with # or b: "C", "F#", "Bb". [any]
[[nodiscard]] std::string_view key_name(int key) noexcept;
/// Throws InvalidArgument. [setup]
[[nodiscard]] int key_of_name(std::string_view name);

/// The notes of a key and a mode. A pitch is a MIDI note number, 60 is the middle C; a step counts the
/// scale's own notes, step 0 is the lowest root at pitch `key`.
class Scale {
 public:
  /// Throws InvalidArgument for a key outside 0 to 11. [setup]
  Scale(int key, Mode mode);

  /// Semitones of its notes above the root, from 0 up. [any]
  [[nodiscard]] std::span<const int> semitones() const noexcept { return semitones_; }
  /// Notes in an octave: 7 or 5. [any]
  [[nodiscard]] int size() const noexcept { return static_cast<int>(semitones_.size()); }
  /// The pitch of a step, which may be negative. [any]
  [[nodiscard]] int pitch(int step) const noexcept;
  /// The highest step whose pitch is at most `pitch`. [any]
  [[nodiscard]] int step_at(int pitch) const noexcept;
  /// True for its notes, in any octave. [any]
  [[nodiscard]] bool has(int pitch) const noexcept { return this->pitch(step_at(pitch)) == pitch; }

  [[nodiscard]] int key() const noexcept { return key_; }
  [[nodiscard]] Mode mode() const noexcept { return mode_; }

 private:
  int key_;
  Mode mode_;
  std::span<const int> semitones_;
};

}  // namespace ringwave::music
