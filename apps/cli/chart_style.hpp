// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/io/image.hpp"

namespace ringwave::cli {

inline constexpr io::Rgb kBackground{18, 19, 23};
inline constexpr io::Rgb kLine{110, 114, 124};
inline constexpr io::Rgb kText{200, 204, 212};
inline constexpr io::Rgb kTitle{240, 242, 246};
inline constexpr int kTick = 4;  ///< in points of text

/// The pixel of a place from 0 to 1; the ends where it is beyond. [any]
[[nodiscard]] int at_place(double position, int length) noexcept;

/// A line around an area. [any]
void draw_frame(io::Image& image, int x, int y, int width, int height) noexcept;

}  // namespace ringwave::cli
