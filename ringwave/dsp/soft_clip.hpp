// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ringwave/backend/block_front.hpp"
#include "ringwave/backend/workload.hpp"

namespace ringwave::dsp {

class SoftClipTwin;

/// Bends peaks instead of cutting them. With d = drive x:  y = d up to the knee, and beyond it
/// y = ±(knee + (ceiling - knee) tanh((|d| - knee) / (ceiling - knee))),  which goes on with the same slope,
/// rises for ever and never passes the ceiling.
///
/// It remembers nothing; other settings hold at once. What is not finite is counted and taken as silence, so
/// that it harms nothing behind it. The result does not depend on how the signal is cut into blocks.
class SoftClip : public backend::BlockFront {
 public:
  static constexpr std::string_view kName = "soft_clip";
  struct Settings {
    double drive_db = 0;    ///< before the bend, -60 to 60
    double ceiling_db = 0;  ///< of full scale, -60 to 60
    double knee = 0.5;      ///< where the bend begins, as a share of the ceiling: 0 to 0.99
  };
  struct Spec {
    int channels = 1;
    int max_block_frames = 4096;
    Settings settings{};
  };
  using Request = Spec;
  using Twin = SoftClipTwin;

  /// Allocates all state and warms the device up. Throws InvalidArgument for a shape or setting out of range,
  /// DeviceUnavailable, OutOfMemory. [setup]
  SoftClip(Device device, const Spec& spec);

  /// Other settings from the next frame on. False, and nothing changed, for some out of range. Wait for
  /// enqueued work first. [audio]
  RW_REALTIME bool set(const Settings& settings) noexcept;

  /// Frames by which the output lags the input: always 0. [any]
  [[nodiscard]] static constexpr int latency_frames() noexcept { return 0; }

  /// What the tuner and the tests know of it. [setup]
  [[nodiscard]] static backend::OpInfo info();
};

}  // namespace ringwave::dsp
