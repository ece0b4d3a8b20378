// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ringwave/backend/block_front.hpp"
#include "ringwave/backend/workload.hpp"

namespace ringwave::dsp {

class CompressorTwin;

/// Makes loud passages softer:  y[n] = 2^(makeup - r[n]) x[n].  From |x[n]| follows, in decibels, by how much
/// it is over the threshold; of that, 1 - 1/ratio shall go, around the threshold along a parabola as wide as
/// the knee; and r goes there with the attack's time constant where it rises and the release's where it
/// falls.
///
/// Below the threshold and its knee nothing is changed, to the last bit. Every channel is judged by itself.
/// What is not finite is counted and taken as silence, so that it harms nothing behind it. The result does
/// not depend on how the signal is cut into blocks.
class Compressor : public backend::BlockFront {
 public:
  static constexpr std::string_view kName = "compressor";
  struct Settings {
    double threshold_db = -18;  ///< -120 to 0 dB of full scale
    double ratio = 4;           ///< decibels in for one decibel out, 1 to 1000
    double knee_db = 6;         ///< 0 to 60, half of it on either side of the threshold
    double attack_ms = 5;       ///< until 63 % of a rise are reached; 0.01 to 10000
    double release_ms = 100;    ///< and of a fall
    double makeup_db = 0;       ///< -60 to 60; a change glides in 20 ms
  };
  struct Spec {
    int channels = 1;
    int max_block_frames = 4096;
    double sample_rate_hz = 48000;  ///< 8000 to 768000
    Settings settings{};
  };
  using Request = Spec;
  using Twin = CompressorTwin;

  /// Allocates all state and warms the device up. Throws InvalidArgument for a shape, rate or setting out of
  /// range, DeviceUnavailable, OutOfMemory. [setup]
  Compressor(Device device, const Spec& spec);

  /// Other settings from the next frame on. False, and nothing changed, for some out of range. Wait for
  /// enqueued work first. [audio]
  RW_REALTIME bool set(const Settings& settings) noexcept;

  /// Frames by which the output lags the input: always 0. [any]
  [[nodiscard]] static constexpr int latency_frames() noexcept { return 0; }

  /// What the tuner and the tests know of it. [setup]
  [[nodiscard]] static backend::OpInfo info();

 private:
  double sample_rate_hz_;
};

}  // namespace ringwave::dsp
