// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/cli/spectrogram_chart.hpp"
#include "ringwave/io/image.hpp"
#include "ringwave/synth/piece.hpp"

namespace ringwave::cli {

/// The notes of a piece over time, a colour for every part.
class PianoRoll {
 public:
  /// Of the frames from 0 to `frames`, for an area of a picture. [setup]
  PianoRoll(const synth::Piece& piece, std::int64_t frames, SpectrogramChart::Area area, int text_scale);

  /// Notes, the names of the keys C beside them on the left, and those of the parts on the right. [setup]
  void draw(io::Image& image) const;

 private:
  void draw_octaves(io::Image& image) const;
  void draw_note(io::Image& image, const synth::Piece::Note& note) const;
  void draw_names(io::Image& image) const;
  [[nodiscard]] int y_of(double key) const noexcept;

  const synth::Piece& piece_;
  std::int64_t frames_;
  SpectrogramChart::Area area_;
  int scale_;
  int lowest_ = 127;  // keys
  int highest_ = 0;
};

}  // namespace ringwave::cli
