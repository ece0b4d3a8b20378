// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/detail/gap_fade.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

namespace ringwave::stream {
namespace {

/// From 0 before the first frame to 1 after the last, flat at both ends.
double rise(std::size_t frame, std::size_t frames) {
  const double x = static_cast<double>(frame + 1) / static_cast<double>(frames + 1);
  return 0.5 - 0.5 * std::cos(std::numbers::pi * x);
}

std::int16_t scaled(std::int16_t sample, double gain) {
  return static_cast<std::int16_t>(std::lround(gain * sample));
}

}  // namespace

void fade_in(std::span<std::int16_t> block) noexcept {
  const std::size_t frames = block.size() / 2;
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const double gain = rise(frame, frames);
    for (std::int16_t& sample : block.subspan(2 * frame, 2)) sample = scaled(sample, gain);
  }
}

/// What fades in, read backwards, fades out.
void fade_out_after(std::span<std::int16_t> block) noexcept {
  fade_in(block);
  const std::size_t frames = block.size() / 2;
  for (std::size_t frame = 0; frame < frames / 2; ++frame)
    for (std::size_t side = 0; side < 2; ++side)
      std::swap(block[2 * frame + side], block[2 * (frames - 1 - frame) + side]);
}

}  // namespace ringwave::stream
