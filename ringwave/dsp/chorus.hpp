// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ringwave/backend/block_front.hpp"
#include "ringwave/backend/workload.hpp"

namespace ringwave::dsp {

class ChorusTwin;

/// One becomes many:  y = (1 - mix) x + mix / sqrt(voices) sum of x[n - d_v[n]],  where each voice's
/// d_v = delay + depth sin(2 pi (rate t + v / voices + spread c)),  with c = 1 in every other channel, so
/// that a spread makes two channels wide.
///
/// What is not finite is counted and taken as silence, so that it harms nothing behind it. The result does
/// not depend on how the signal is cut into blocks.
class Chorus : public backend::BlockFront {
 public:
  static constexpr std::string_view kName = "chorus";
  struct Settings {
    double delay_ms = 15;  ///< 0.3 to 50
    double depth_ms = 3;   ///< at most delay_ms - 0.3
    double rate_hz = 0.8;  ///< 0 to 20
    double mix = 0.5;      ///< 0: as it was, 1: the voices alone
    double spread = 0.25;  ///< 0 to 0.5 turns
  };
  struct Spec {
    int channels = 1;
    int max_block_frames = 4096;
    double sample_rate_hz = 48000;  ///< 8000 to 768000
    int voices = 3;                 ///< 1 to 8
    Settings settings{};
  };
  using Request = Spec;
  using Twin = ChorusTwin;

  /// Allocates all state and warms the device up. Throws InvalidArgument for a shape, rate or setting out of
  /// range, DeviceUnavailable, OutOfMemory. [setup]
  Chorus(Device device, const Spec& spec);

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
