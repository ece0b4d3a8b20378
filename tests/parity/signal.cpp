// SPDX-License-Identifier: Apache-2.0
#include "tests/parity/signal.hpp"

#include <algorithm>
#include <cstring>
#include <random>

namespace ringwave::parity {

Signal::Signal(int channels, int frames, int gap)
    : channels_(channels),
      frames_(frames),
      gap_(gap),
      samples_(static_cast<std::size_t>(gap) +
                   static_cast<std::size_t>(channels) * static_cast<std::size_t>(frames + gap),
               kUntouched) {
  for (int i = 0; i < channels; ++i) std::ranges::fill(channel(i), 0.0F);
}

Signal Signal::with_gap(int gap) const {
  Signal made(channels_, frames_, gap);
  for (int i = 0; i < channels_; ++i) std::ranges::copy(channel(i), made.channel(i).begin());
  return made;
}

bool Signal::gaps_untouched() const noexcept {
  const auto period = static_cast<std::size_t>(frames_ + gap_);
  for (std::size_t i = 0; i < samples_.size(); ++i)
    if (i % period < static_cast<std::size_t>(gap_) && samples_[i] != kUntouched) return false;
  return true;
}

Signal noise(int channels, int frames, std::uint32_t seed, float level) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(-level, level);
  Signal made(channels, frames);
  for (float& sample : made.memory()) sample = value(random);
  return made;
}

Signal constant(int channels, int frames, float value) {
  Signal made(channels, frames);
  std::ranges::fill(made.memory(), value);
  return made;
}

Signal impulses(int channels, int frames) {
  Signal made(channels, frames);
  for (int i = 0; i < channels; ++i) made.channel(i)[static_cast<std::size_t>(i % frames)] = 1.0F;
  return made;
}

Signal full_scale(int channels, int frames, std::uint32_t seed) {
  Signal made = noise(channels, frames, seed);
  for (float& sample : made.memory()) sample = sample < 0 ? -1.0F : 1.0F;
  return made;
}

int first_difference(std::span<const float> a, std::span<const float> b) {
  if (a.size() != b.size()) return 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::memcmp(&a[i], &b[i], sizeof(float)) != 0) return static_cast<int>(i);
  return -1;
}

}  // namespace ringwave::parity
