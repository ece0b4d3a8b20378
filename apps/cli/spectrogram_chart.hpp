// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ringwave/dsp/spectrogram.hpp"
#include "ringwave/io/image.hpp"
#include "ringwave/io/palette.hpp"

namespace ringwave::cli {

/// A spectrogram with what one needs to read it: axes, a scale of colours, a title. Or bare.
class SpectrogramChart {
 public:
  struct Spec {
    int width = 1280;  ///< of the whole
    int height = 720;
    bool bare = false;
    int pictures = 1;  ///< one above the other
    int above = 0;  ///< pixels between the title and the spectrogram for something else; not where it is bare
    double floor_db = -100;
    double ceiling_db = 0;
    std::string palette = "ember";
  };

  struct Area {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
  };

  /// Lays it out. Throws InvalidArgument where there is no room, or for levels that are not in order. [setup]
  explicit SpectrogramChart(const Spec& spec);

  /// The size of every picture in it. [any]
  [[nodiscard]] int picture_width() const noexcept { return plot_.width; }
  [[nodiscard]] int picture_height() const noexcept { return picture_height_; }

  /// Where there is room above it, as wide as the spectrogram, and how wide a point of text is. [any]
  [[nodiscard]] Area above() const noexcept;
  [[nodiscard]] int text_scale() const noexcept { return scale_; }

  /// Draws a finished spectrogram of that size. [setup]
  [[nodiscard]] io::Image draw(const dsp::Spectrogram& spectrogram, const std::string& title) const;

 private:
  [[nodiscard]] Area picture_area(int picture) const noexcept;
  [[nodiscard]] int text_y(int middle) const noexcept;
  void paint(io::Image& image, const dsp::Spectrogram& spectrogram, int picture) const;
  void draw_text(io::Image& image, int x, int y, const std::string& text, io::Rgb colour) const;
  void draw_title(io::Image& image, const dsp::Spectrogram& spectrogram, const std::string& title) const;
  void draw_frequencies(io::Image& image, const dsp::FrequencyAxis& axis, const Area& area) const;
  void draw_times(io::Image& image, double seconds) const;
  void draw_levels(io::Image& image) const;
  void draw_number(io::Image& image, int picture) const;

  Spec spec_;
  io::Palette palette_;
  int scale_;  // of text
  int gap_;    // between pictures
  int top_;    // of the plot
  Area plot_;
  int picture_height_;
};

}  // namespace ringwave::cli
