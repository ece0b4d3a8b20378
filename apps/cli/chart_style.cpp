// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/chart_style.hpp"

#include <algorithm>
#include <cmath>

namespace ringwave::cli {

int at_place(double position, int length) noexcept {
  return static_cast<int>(std::lround(std::clamp(position, 0.0, 1.0) * (length - 1)));
}

void draw_frame(io::Image& image, int x, int y, int width, int height) noexcept {
  image.fill(x - 1, y - 1, width + 2, 1, kLine);
  image.fill(x - 1, y + height, width + 2, 1, kLine);
  image.fill(x - 1, y, 1, height, kLine);
  image.fill(x + width, y, 1, height, kLine);
}

}  // namespace ringwave::cli
