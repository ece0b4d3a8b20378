// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/scale.hpp"

#include <algorithm>
#include <array>

#include "ringwave/core/error.hpp"

namespace ringwave::music {
namespace {

struct ModeFacts {
  std::string_view name;
  std::array<int, 7> semitones;
  std::size_t size = 7;
};

constexpr std::array<ModeFacts, 10> kModes{{{"ionian", {0, 2, 4, 5, 7, 9, 11}},
                                            {"dorian", {0, 2, 3, 5, 7, 9, 10}},
                                            {"phrygian", {0, 1, 3, 5, 7, 8, 10}},
                                            {"lydian", {0, 2, 4, 6, 7, 9, 11}},
                                            {"mixolydian", {0, 2, 4, 5, 7, 9, 10}},
                                            {"aeolian", {0, 2, 3, 5, 7, 8, 10}},
                                            {"locrian", {0, 1, 3, 5, 6, 8, 10}},
                                            {"harmonic-minor", {0, 2, 3, 5, 7, 8, 11}},
                                            {"major-pentatonic", {0, 2, 4, 7, 9}, 5},
                                            {"minor-pentatonic", {0, 3, 5, 7, 10}, 5}}};

constexpr std::array kAllModes{
    Mode::ionian,  Mode::dorian,  Mode::phrygian,       Mode::lydian,           Mode::mixolydian,
    Mode::aeolian, Mode::locrian, Mode::harmonic_minor, Mode::major_pentatonic, Mode::minor_pentatonic};

const ModeFacts& facts(Mode mode) noexcept {
  return kModes[static_cast<std::size_t>(mode)];
}

/// The largest whole number that is at most a / b.
int floor_divided(int a, int b) noexcept {
  return a / b - (a % b < 0 ? 1 : 0);
}

}  // namespace

std::string_view to_string(Mode mode) noexcept {
  return facts(mode).name;
}

std::span<const Mode> all_modes() noexcept {
  return kAllModes;
}

Mode mode_of_name(std::string_view name) {
  if (name == "major") return Mode::ionian;
  if (name == "minor") return Mode::aeolian;
  for (const Mode mode : kAllModes)
    if (to_string(mode) == name) return mode;
  std::string known;
  for (const Mode mode : kAllModes) known += std::string(to_string(mode)) + ", ";
  throw InvalidArgument("'" + std::string(name) + "' is no mode; use " + known + "major or minor");
}

std::string_view key_name(int key) noexcept {
  constexpr std::array<std::string_view, 12> kNames{"C",  "C#", "D",  "Eb", "E",  "F",
                                                    "F#", "G",  "Ab", "A",  "Bb", "B"};
  return kNames[static_cast<std::size_t>(key)];
}

int key_of_name(std::string_view name) {
  constexpr std::string_view kLetters = "C D EF G A B";
  const std::size_t letter = name.empty() || name[0] == ' ' ? std::string_view::npos : kLetters.find(name[0]);
  const std::string_view accidental = name.substr(std::min<std::size_t>(1, name.size()));
  const bool is_known = accidental.empty() || accidental == "#" || accidental == "b";
  if (letter == std::string_view::npos || !is_known)
    throw InvalidArgument("'" + std::string(name) +
                          "' is no key; use a letter from A to G, with # or b behind it");
  const int shift = accidental == "#" ? 1 : accidental == "b" ? 11 : 0;
  return (static_cast<int>(letter) + shift) % 12;
}

Scale::Scale(int key, Mode mode)
    : key_(key), mode_(mode), semitones_(std::span(facts(mode).semitones).first(facts(mode).size)) {
  if (key < 0 || key > 11)
    throw InvalidArgument("a scale of the key " + std::to_string(key) +
                          " was asked for; use 0, which is C, to 11");
}

int Scale::pitch(int step) const noexcept {
  const int octave = floor_divided(step, size());
  return key_ + 12 * octave + semitones_[static_cast<std::size_t>(step - octave * size())];
}

int Scale::step_at(int pitch) const noexcept {
  const int octave = floor_divided(pitch - key_, 12);
  const int semitone = pitch - key_ - 12 * octave;
  const auto above = std::ranges::upper_bound(semitones_, semitone);
  return octave * size() + static_cast<int>(above - semitones_.begin()) - 1;
}

}  // namespace ringwave::music
