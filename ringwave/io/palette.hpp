// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ringwave/io/image.hpp"

namespace ringwave::io {

/// Colours from dark to bright that look evenly spaced: the lightness L* of CIE 1976 rises in a straight line
/// while the hue turns, and of the chroma as much is taken as sRGB has.
class Palette {
 public:
  static constexpr int kColours = 256;

  /// "ember" goes from black through violet and red to a pale yellow, "lagoon" through blue and green, "grey"
  /// has no hue, and "ink" is grey on white, for paper. Throws InvalidArgument for another name. [setup]
  explicit Palette(std::string_view name);

  /// The colour for a place from 0 to 1; beyond, and for NaN, one of the ends. [any]
  [[nodiscard]] Rgb at(double position) const noexcept;

  /// All names, with commas between them. [any]
  [[nodiscard]] static std::string names();

 private:
  std::vector<Rgb> colours_;
};

}  // namespace ringwave::io
