// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/core/host_device.hpp"

namespace ringwave::dsp {

/// A gain on its way from one value to another, along a straight line over `frames` frames.
struct GainRamp {
  float from = 1.0F;
  float to = 1.0F;
  int frames = 0;  ///< length of the line; 0: already there
  int done = 0;    ///< frames of the line that lie behind

  /// The gain `ahead` frames from now. Frame 0 of a ramp has already left `from`, frame `frames - 1` is at
  /// `to`.
  [[nodiscard]] RW_HOST_DEVICE float at(int ahead) const {
    const int position = done + ahead + 1;
    if (position >= frames) return to;
    return from + (to - from) * (static_cast<float>(position) / static_cast<float>(frames));
  }

  /// `count` frames later. Once at its end it stays there.
  [[nodiscard]] RW_HOST_DEVICE GainRamp after(int count) const {
    if (count >= frames - done) return {to, to, 0, 0};
    return {from, to, frames, done + count};
  }
};

}  // namespace ringwave::dsp
