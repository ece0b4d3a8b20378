// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/core/host_device.hpp"

/// What the rules of a station have in common. They take their frames in chunks of the station's clock: what
/// must wait for the frame before does so once a chunk, and all else of a chunk can be done at once.
namespace ringwave::synth {

inline constexpr int kChunkFrames = 32;  ///< a warp; two thirds of a millisecond

/// A number that goes to its target in straight lines, one a chunk. Knob{} is at 0.
struct Knob {
  float from = 0;
  float to = 0;

  /// A chunk begins. `share` of the way is gone in one.
  RW_HOST_DEVICE void advance(float target, float share) {
    from = to;
    to += share * (target - to);
  }

  /// At once.
  RW_HOST_DEVICE void jump(float target) { from = to = target; }

  /// At a frame of the chunk.
  [[nodiscard]] RW_HOST_DEVICE float at(int frame) const {
    return from + (to - from) * (static_cast<float>(frame + 1) * (1.0F / kChunkFrames));
  }
};

struct StereoFrame {
  float left = 0;
  float right = 0;
};

}  // namespace ringwave::synth
