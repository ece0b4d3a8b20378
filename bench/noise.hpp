// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringwave::bench {

/// White noise in [-0.5, 0.5) that depends only on the seed and the place, so that another program can make
/// the same samples: scipy.cpp does. [any]
[[nodiscard]] constexpr float noise(std::uint32_t seed, std::uint32_t place) noexcept {
  constexpr std::uint32_t kGolden = 0x9e3779b1U;  // 2^32 over the golden ratio: neighbours land far apart
  std::uint32_t bits = (place + seed * 0x10001U) * kGolden;
  bits = (bits ^ (bits >> 15)) * kGolden;
  bits = (bits ^ (bits >> 13)) * kGolden;
  bits ^= bits >> 16;
  return static_cast<float>(bits >> 8) * 0x1p-24F - 0.5F;
}

/// `count` samples of that noise. [setup]
[[nodiscard]] inline std::vector<float> make_noise(std::uint32_t seed, std::size_t count) {
  std::vector<float> samples(count);
  for (std::size_t i = 0; i < count; ++i) samples[i] = noise(seed, static_cast<std::uint32_t>(i));
  return samples;
}

/// One block of noise for each of the first `sets` seeds: inputs that rotate, so that no repetition meets the
/// data of the last one. [setup]
[[nodiscard]] inline std::vector<std::vector<float>> make_noise_sets(std::size_t sets, std::size_t count) {
  std::vector<std::vector<float>> made;
  for (std::size_t i = 0; i < sets; ++i) made.push_back(make_noise(static_cast<std::uint32_t>(i), count));
  return made;
}

}  // namespace ringwave::bench
