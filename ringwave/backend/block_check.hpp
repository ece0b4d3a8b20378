// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>

#include "ringwave/core/block_view.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/status.hpp"

namespace ringwave::backend {

inline constexpr int kMostChannels = 1 << 20;
inline constexpr int kMostBlockFrames = 1 << 28;  // a count of samples fits 32 bits

/// Throws InvalidArgument for a shape that no op takes. [setup]
inline void require_shape(std::string_view op, int channels, int max_block_frames) {
  if (channels < 1 || channels > kMostChannels || max_block_frames < 1 || max_block_frames > kMostBlockFrames)
    throw InvalidArgument(std::string(op) + " was asked for with " + std::to_string(channels) +
                          " channels and blocks of " + std::to_string(max_block_frames) +
                          " frames; use 1 to " + std::to_string(kMostChannels) + " channels and 1 to " +
                          std::to_string(kMostBlockFrames) + " frames");
}

/// True where `value` is from `low` to `high`; never for NaN. [any]
[[nodiscard]] constexpr bool within(double value, double low, double high) noexcept {
  return value >= low && value <= high;
}

/// True for a rate that ops with times or frequencies take: 8 to 768 kHz. [any]
[[nodiscard]] constexpr bool is_sample_rate(double hz) noexcept {
  return within(hz, 8000, 768000);
}

/// `ok` where both blocks have `channels` channels and the same 0 to `max_frames` frames. [audio]
[[nodiscard]] inline Status check_shape(BlockView<const float> in, BlockView<float> out, int channels,
                                        int max_frames) noexcept {
  const bool fits = in.channels() == channels && out.channels() == channels && in.frames() == out.frames() &&
                    in.frames() >= 0 && in.frames() <= max_frames;
  return fits ? Status::ok : Status::wrong_shape;
}

/// Sets every sample of a block in host memory to 0. [audio]
inline void silence(BlockView<float> block) noexcept {
  if (block.empty()) return;
  for (int channel = 0; channel < block.channels(); ++channel)
    std::ranges::fill(block.channel(channel), 0.0F);
}

/// 1 for a NaN or an infinite sample, by its exponent: compilers may reason NaN away. [audio]
[[nodiscard]] inline std::uint32_t is_nonfinite(float sample) noexcept {
  return (std::bit_cast<std::uint32_t>(sample) & 0x7f800000U) == 0x7f800000U ? 1U : 0U;
}

}  // namespace ringwave::backend
