// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/core/host_device.hpp"
#include "ringwave/synth/voice_math.hpp"

namespace ringwave::synth {

/// Lanes that play a voice together, a lane a frame of a control step: half a warp on a GPU, one alone on the
/// CPU.
struct VoiceGroup {
  int lane = 0;  ///< of width()

  [[nodiscard]] RW_HOST_DEVICE static constexpr int width() {
#if defined(__CUDA_ARCH__)
    return VoiceRule::kControlFrames;
#else
    return 1;
#endif
  }

  /// What another of them has.
  template <class T>
  [[nodiscard]] RW_HOST_DEVICE T from(T value, [[maybe_unused]] int other) const {
#if defined(__CUDA_ARCH__)
    static_assert(width() == 16);
    return __shfl_sync(0xffffU << (threadIdx.x & 16U), value, other, width());
#else
    return value;
#endif
  }

  [[nodiscard]] RW_HOST_DEVICE VoiceRule::Lines from(const VoiceRule::Lines& lines, int other) const {
    VoiceRule::Lines made;
    for (int i = 0; i < 2; ++i) made.levels[i] = from(lines.levels[i], other);
    made.noise = from(lines.noise, other);
    made.g = from(lines.g, other);
    made.k = from(lines.k, other);
    made.left = from(lines.left, other);
    made.right = from(lines.right, other);
    return made;
  }
};

}  // namespace ringwave::synth
