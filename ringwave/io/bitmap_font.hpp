// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ringwave/io/image.hpp"

namespace ringwave::io {

/// Characters are cells of 6 x 9 pixels, one of them between two letters and two of them below the line.
inline constexpr int kCellWidth = 6;
inline constexpr int kCapHeight = 7;

/// How wide a line of text is, in pixels. [any]
[[nodiscard]] int text_width(std::string_view text, int scale = 1) noexcept;

/// Draws a line of text with its left upper corner at a pixel, each point of a letter `scale` pixels wide.
/// What is not ASCII is drawn as a question mark. [any]
void draw_text(Image& image, int x, int y, std::string_view text, Rgb colour, int scale = 1) noexcept;

}  // namespace ringwave::io
