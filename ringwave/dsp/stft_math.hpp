// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/core/host_device.hpp"

namespace ringwave::dsp {

/// Where frames lie over a signal. One formula for both twins. The op's bounds on sizes and samples keep
/// every place in an int.
struct StftGrid {
  int size = 0;
  int hop = 0;
  int pad = 0;
  int samples = 0;
  int frames = 0;
  bool reflect = false;

  /// The place of a frame's first point in the signal; before it for the first frames.
  [[nodiscard]] RW_HOST_DEVICE int start_of(int frame) const noexcept { return frame * hop - pad; }

  /// True where a frame needs no padding.
  [[nodiscard]] RW_HOST_DEVICE bool is_inside(int start) const noexcept {
    return start >= 0 && start + size <= samples;
  }

  /// The sample that stands at `place`, anywhere; -1 for a zero.
  [[nodiscard]] RW_HOST_DEVICE int source_of(int place) const noexcept {
    if (place >= 0 && place < samples) return place;
    if (!reflect) return -1;
    return place < 0 ? -place : 2 * (samples - 1) - place;
  }

  /// The first and the last frame that cover a sample; none where the first is greater.
  [[nodiscard]] RW_HOST_DEVICE int first_frame_at(int sample) const noexcept {
    const int beyond = sample + pad - size;  // the last start that is too early
    return beyond < 0 ? 0 : beyond / hop + 1;
  }
  [[nodiscard]] RW_HOST_DEVICE int last_frame_at(int sample) const noexcept {
    const int last = (sample + pad) / hop;
    return last < frames ? last : frames - 1;
  }
};

/// Sums of squares from which no sample comes back.
inline constexpr float kLeastStftWeight = 1e-10F;

}  // namespace ringwave::dsp
