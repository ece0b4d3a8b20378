// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ringwave/backend/block_front.hpp"
#include "ringwave/backend/workload.hpp"

namespace ringwave::dsp {

class GainTwin;

/// Louder or softer:  y[n] = g[n] x[n],  where g walks to a new value in a straight line, so that nothing
/// clicks.
///
/// A NaN stays the sample that it is and is counted. A block has the gain that was due when it was enqueued
/// or captured; reset() ends a change at once. The result does not depend on how the signal is cut into
/// blocks.
class Gain : public backend::BlockFront {
 public:
  static constexpr std::string_view kName = "gain";
  static constexpr float kMostGain = 1e6F;  ///< 120 dB, either sign
  struct Spec {
    int channels = 1;
    int max_block_frames = 4096;
    float gain = 1.0F;      ///< linear factor to start with
    int ramp_frames = 480;  ///< frames that a change takes; 0: at once
  };
  using Request = Spec;
  using Twin = GainTwin;

  /// Allocates all state and warms the device up. Throws InvalidArgument for a shape out of range or a gain
  /// beyond kMostGain, DeviceUnavailable, OutOfMemory. [setup]
  Gain(Device device, const Spec& spec);

  /// Where the gain shall go from the next frame on. False, and nothing changed, for one beyond kMostGain.
  /// Enqueued work need not be waited for. [audio]
  RW_REALTIME bool set_gain(float linear) noexcept;

  /// Frames by which the output lags the input: always 0. [any]
  [[nodiscard]] static constexpr int latency_frames() noexcept { return 0; }

  /// What the tuner and the tests know of it. [setup]
  [[nodiscard]] static backend::OpInfo info();
};

}  // namespace ringwave::dsp
