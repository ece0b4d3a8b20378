// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "ringwave/backend/workload.hpp"
#include "ringwave/core/block_view.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/queue.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"

namespace ringwave::dsp {

class GainTwin;

/// Louder or softer:  y[n] = g[n] x[n],  where g walks to a new value in a straight line, so that nothing
/// clicks.
///
/// A NaN stays the sample that it is and is counted. The result does not depend on how the signal is cut into
/// blocks.
class Gain {
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
  ~Gain();
  Gain(Gain&&) noexcept;
  Gain& operator=(Gain&&) noexcept;

  /// Scales `in` into `out`, both in host memory; they may be the same. On anything but `ok` the output is
  /// silence. [audio]
  RW_REALTIME Status process(BlockView<const float> in, BlockView<float> out) noexcept;

  /// The same in the order of `queue`, which is on this op's device, between blocks in that device's memory
  /// or in pinned host memory. Do not mix with process() without waiting for the queue. A captured one keeps
  /// the gain of its capture. [audio]
  RW_REALTIME Status enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept;

  /// Where the gain shall go from the next frame on. False, and nothing changed, for one beyond kMostGain.
  /// [audio]
  RW_REALTIME bool set_gain(float linear) noexcept;

  /// Ends a change at once. [audio]
  RW_REALTIME void reset() noexcept;

  /// NaN and infinite samples that came in so far; waits for work in flight. [setup]
  [[nodiscard]] std::uint64_t nonfinite_samples() const;

  /// Where it runs; never `auto`. [any]
  [[nodiscard]] Device device() const noexcept { return device_; }

  /// Frames by which the output lags the input: always 0. [any]
  [[nodiscard]] static constexpr int latency_frames() noexcept { return 0; }

  /// What the tuner and the tests know of it. [setup]
  [[nodiscard]] static backend::OpInfo info();

 private:
  Spec spec_;
  Device device_;
  std::unique_ptr<GainTwin> twin_;
};

}  // namespace ringwave::dsp
