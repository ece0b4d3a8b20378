// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ringwave/backend/block_front.hpp"
#include "ringwave/backend/workload.hpp"

namespace ringwave::dsp {

class LimiterTwin;

/// No peak above the ceiling, and not between the samples either:  y[n + latency] = g[n] x[n].
///
/// Three points between each two samples, by a windowed sinc of 32 taps, and parabolas over every three
/// neighbours tell the true peak. The largest reduction that one within reach asks for is held for as long as
/// it matters, let go of with the release's time constant, and averaged over the look-ahead: g walks there
/// before the peak comes, without a corner. The output's true peak is at most 0.1 dB above the ceiling for
/// signals below 0.45 of the rate; what needs no reduction is delayed and otherwise untouched.
///
/// Every channel is judged by itself. What is not finite is counted and taken as silence, so that it harms
/// nothing behind it. The result does not depend on how the signal is cut into blocks.
class Limiter : public backend::BlockFront {
 public:
  static constexpr std::string_view kName = "limiter";
  struct Settings {
    double ceiling_db = -1;   ///< of the true peak, -60 to 0 dB of full scale
    double release_ms = 100;  ///< until 63 % of a reduction are let go of; 1 to 10000
  };
  struct Spec {
    int channels = 1;
    int max_block_frames = 4096;
    double sample_rate_hz = 48000;  ///< 8000 to 768000
    double lookahead_ms = 1.5;      ///< at least 16 frames, at most 100 ms
    Settings settings{};
  };
  using Request = Spec;
  using Twin = LimiterTwin;

  /// Allocates all state and warms the device up. Throws InvalidArgument for a shape, rate, look-ahead or
  /// setting out of range, DeviceUnavailable, OutOfMemory. [setup]
  Limiter(Device device, const Spec& spec);

  /// Other settings from the next frame on. False, and nothing changed, for some out of range. Wait for
  /// enqueued work first. [audio]
  RW_REALTIME bool set(const Settings& settings) noexcept;

  /// Frames by which the output lags the input: the look-ahead and what the interpolation needs. [any]
  [[nodiscard]] int latency_frames() const noexcept { return latency_frames_; }

  /// What the tuner and the tests know of it. [setup]
  [[nodiscard]] static backend::OpInfo info();

 private:
  double sample_rate_hz_;
  double lookahead_ms_;
  int latency_frames_;
};

}  // namespace ringwave::dsp
