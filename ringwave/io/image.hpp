// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ringwave::io {

/// A colour of sRGB.
struct Rgb {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;

  friend bool operator==(const Rgb&, const Rgb&) = default;
};

static_assert(sizeof(Rgb) == 3, "a row of pixels is a row of bytes");

/// A picture in memory, row after row from the top. What is drawn beyond its edges is left out.
class Image {
 public:
  static constexpr int kMostSide = 65536;

  /// All of one colour. Throws InvalidArgument unless both sides are 1 to kMostSide. [setup]
  Image(int width, int height, Rgb colour = {});

  [[nodiscard]] int width() const noexcept { return width_; }
  [[nodiscard]] int height() const noexcept { return height_; }
  [[nodiscard]] const Rgb* data() const noexcept { return pixels_.data(); }

  /// A pixel inside the picture. [any]
  [[nodiscard]] Rgb at(int x, int y) const noexcept { return pixels_[index(x, y)]; }
  /// Sets a pixel, where there is one. [any]
  void set(int x, int y, Rgb colour) noexcept;
  /// Fills a rectangle. [any]
  void fill(int x, int y, int width, int height, Rgb colour) noexcept;

 private:
  [[nodiscard]] std::size_t index(int x, int y) const noexcept {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  }

  int width_;
  int height_;
  std::vector<Rgb> pixels_;
};

}  // namespace ringwave::io
