// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ringwave/core/block_view.hpp"

namespace ringwave::parity {

/// Audio in memory of its own, with room around the planes that nobody may write.
class Signal {
 public:
  /// What lies between the planes: a value that no op makes.
  static constexpr float kUntouched = 12345.678F;

  /// `gap` samples before the first plane and after each.
  Signal(int channels, int frames, int gap = 0);

  [[nodiscard]] int channels() const noexcept { return channels_; }
  [[nodiscard]] int frames() const noexcept { return frames_; }
  [[nodiscard]] BlockView<float> view() noexcept {
    return {samples_.data() + gap_, channels_, frames_, frames_ + gap_};
  }
  [[nodiscard]] BlockView<const float> view() const noexcept {
    return {samples_.data() + gap_, channels_, frames_, frames_ + gap_};
  }
  [[nodiscard]] std::span<float> channel(int index) noexcept { return view().channel(index); }
  [[nodiscard]] std::span<const float> channel(int index) const noexcept { return view().channel(index); }

  /// Everything, the gaps too.
  [[nodiscard]] std::span<float> memory() noexcept { return samples_; }
  [[nodiscard]] std::span<const float> memory() const noexcept { return samples_; }

  /// The same audio with another gap.
  [[nodiscard]] Signal with_gap(int gap) const;

  /// True while nobody has written between the planes.
  [[nodiscard]] bool gaps_untouched() const noexcept;

 private:
  int channels_;
  int frames_;
  int gap_;
  std::vector<float> samples_;
};

/// Every channel different: noise in [-level, level].
[[nodiscard]] Signal noise(int channels, int frames, std::uint32_t seed, float level = 0.5F);
/// The same value throughout.
[[nodiscard]] Signal constant(int channels, int frames, float value);
/// One sample of 1 in each channel, each channel's a frame later.
[[nodiscard]] Signal impulses(int channels, int frames);
/// As loud as it gets: noise of nothing but -1 and 1.
[[nodiscard]] Signal full_scale(int channels, int frames, std::uint32_t seed);

/// The first frame in which two signals of one shape are not the same to the last bit; -1 where there is
/// none.
[[nodiscard]] int first_difference(std::span<const float> a, std::span<const float> b);

}  // namespace ringwave::parity
