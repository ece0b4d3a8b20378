// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ringwave/backend/block_front.hpp"
#include "ringwave/backend/workload.hpp"

namespace ringwave::dsp {

class DelayTwin;

/// Echoes:  y = (1 - mix) x + mix w,  where  w[n] = l[n - d[n]],  l = x + feedback w  and
/// d = time + depth sin(2 pi rate t):  a reading point between the samples that a slow sine moves.
///
/// A change of the time moves the reading point there, as a tape's head: it bends the pitch and does not
/// click. What is not finite is counted and taken as silence, so that it harms nothing behind it. The result
/// does not depend on how the signal is cut into blocks.
class Delay : public backend::BlockFront {
 public:
  static constexpr std::string_view kName = "delay";
  struct Settings {
    double time_ms = 350;
    double feedback = 0.4;  ///< -0.99 to 0.99
    double mix = 0.35;      ///< 0: as it was, 1: the echoes alone
    double depth_ms = 0;    ///< at most time_ms - 0.3
    double rate_hz = 0.5;   ///< 0 to 20
  };
  struct Spec {
    int channels = 1;
    int max_block_frames = 4096;
    double sample_rate_hz = 48000;  ///< 8000 to 768000
    double longest_ms = 2000;       ///< that time and depth together may ever be; 1 to 60000
    Settings settings{};
  };
  using Request = Spec;
  using Twin = DelayTwin;

  /// Allocates all state and warms the device up. Throws InvalidArgument for a shape, rate or setting out of
  /// range, DeviceUnavailable, OutOfMemory. [setup]
  Delay(Device device, const Spec& spec);

  /// Other settings from the next frame on; all of them glide. False, and nothing changed, for some out of
  /// range. Wait for enqueued work first. [audio]
  RW_REALTIME bool set(const Settings& settings) noexcept;

  /// Frames by which the output lags the input: always 0; what is heard later is the effect. [any]
  [[nodiscard]] static constexpr int latency_frames() noexcept { return 0; }

  /// What the tuner and the tests know of it. [setup]
  [[nodiscard]] static backend::OpInfo info();

 private:
  Spec spec_;
};

}  // namespace ringwave::dsp
