// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/image.hpp"

#include <algorithm>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::io {
namespace {

std::size_t checked_pixels(int width, int height) {
  if (width < 1 || height < 1 || width > Image::kMostSide || height > Image::kMostSide)
    throw InvalidArgument("a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                          " pixels was asked for; use 1 to " + std::to_string(Image::kMostSide) +
                          " on each side");
  return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
}

}  // namespace

Image::Image(int width, int height, Rgb colour)
    : width_(width), height_(height), pixels_(checked_pixels(width, height), colour) {}

void Image::set(int x, int y, Rgb colour) noexcept {
  if (x >= 0 && x < width_ && y >= 0 && y < height_) pixels_[index(x, y)] = colour;
}

void Image::fill(int x, int y, int width, int height, Rgb colour) noexcept {
  const int left = std::max(0, x);
  const int count = std::min(width_, x + width) - left;
  for (int row = std::max(0, y); row < std::min(height_, y + height) && count > 0; ++row)
    std::fill_n(pixels_.data() + index(left, row), count, colour);
}

}  // namespace ringwave::io
