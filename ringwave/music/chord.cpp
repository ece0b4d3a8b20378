// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/chord.hpp"

#include <algorithm>
#include <array>

namespace ringwave::music {
namespace {

/// The tones above the root: as steps of a scale of seven notes, and as semitones of which the first is taken
/// that a pentatonic scale has and the chord not yet.
struct Tone {
  int step;
  std::array<int, 4> semitones;
};

constexpr Tone kSecond{1, {2, 3, 5, 4}};
constexpr Tone kThird{2, {4, 3, 5, 2}};
constexpr Tone kFourth{3, {5, 4, 3, 2}};
constexpr Tone kFifth{4, {7, 8, 9, 10}};
constexpr Tone kSeventh{6, {10, 9, 12 + 2, 12 + 5}};
constexpr Tone kNinth{8, {14, 17, 22, 21}};

std::span<const Tone> tones_of(Chord::Shape shape) noexcept {
  static constexpr std::array kAll{std::array{kThird, kFifth, kSeventh}, std::array{kThird, kFifth, kNinth},
                                   std::array{kSecond, kFifth, kFifth}, std::array{kFourth, kFifth, kFifth}};
  switch (shape) {
    case Chord::Shape::triad:
      return std::span(kAll[0]).first(2);
    case Chord::Shape::seventh:
      return kAll[0];
    case Chord::Shape::ninth:
      return kAll[1];
    case Chord::Shape::suspended_second:
      return std::span(kAll[2]).first(2);
    case Chord::Shape::suspended_fourth:
      break;
  }
  return std::span(kAll[3]).first(2);
}

}  // namespace

Chord::Chord(const Scale& scale, int degree, Shape shape) noexcept
    : size_(1), shape_(shape), octave_(scale.size()) {
  steps_[0] = degree;
  const int root = scale.pitch(degree);
  for (const Tone& tone : tones_of(shape)) {
    int step = degree + tone.step;
    if (octave_ == 5)
      for (auto wish = tone.semitones.rbegin(); wish != tone.semitones.rend(); ++wish)
        if (const int wished = scale.step_at(root + *wish); scale.has(root + *wish) && !has(wished))
          step = wished;
    steps_[size_++] = step;
  }
}

bool Chord::has(int step) const noexcept {
  return std::ranges::any_of(steps(), [&](int tone) { return (step - tone) % octave_ == 0; });
}

}  // namespace ringwave::music
