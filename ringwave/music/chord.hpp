// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "ringwave/music/scale.hpp"

namespace ringwave::music {

/// A chord of a scale. It has no note outside the scale: a triad is every second note from its root on, and
/// in a pentatonic scale what comes nearest to one.
class Chord {
 public:
  enum class Shape : unsigned char {
    triad,
    seventh,
    ninth,  ///< the triad with the ninth
    suspended_second,
    suspended_fourth,
  };

  /// The chord on the `degree`-th note of the scale, 0 the tonic. [any]
  Chord(const Scale& scale, int degree, Shape shape) noexcept;

  /// Its tones as steps of the scale, from the root up; the root is between 0 and an octave. [any]
  [[nodiscard]] std::span<const int> steps() const noexcept { return {steps_.data(), size_}; }
  /// True where a step of the scale is one of its tones, in any octave. [any]
  [[nodiscard]] bool has(int step) const noexcept;
  [[nodiscard]] int degree() const noexcept { return steps_[0]; }
  [[nodiscard]] Shape shape() const noexcept { return shape_; }

  friend bool operator==(const Chord& a, const Chord& b) noexcept {
    return a.degree() == b.degree() && a.shape_ == b.shape_;
  }

 private:
  std::array<int, 4> steps_{};
  std::size_t size_;
  Shape shape_;
  int octave_;  // notes in one
};

}  // namespace ringwave::music
