// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ringwave/backend/block_front.hpp"
#include "ringwave/backend/workload.hpp"

namespace ringwave::dsp {

class ReverbTwin;

/// A room: eight delay lines of lengths without a common measure that feed each other through an orthogonal
/// matrix (Householder's, 1 - 2 v v^T), so that nothing is lost but what each line's gain takes: after
/// `decay_s` seconds a sound is 60 dB softer. A one-pole low-pass in each line takes the highs first.
///
/// Every channel has a room of its own. Those of even and odd channels are listened to at places that share
/// cos^2(width 90°) of what they hear: at a width of 0 the same, at 1 nothing. What is not finite is counted
/// and taken as silence, so that it harms nothing behind it. The result does not depend on how the signal is
/// cut into blocks.
class Reverb : public backend::BlockFront {
 public:
  static constexpr std::string_view kName = "reverb";
  struct Settings {
    double decay_s = 2;  ///< until 60 dB are gone, at low frequencies; 0.05 to 60
    double damp = 0.3;   ///< of the highs: 0 none, below 1
    double width = 1;    ///< 0 to 1
    double mix = 0.3;    ///< 0: as it was, 1: the room alone
  };
  struct Spec {
    int channels = 1;
    int max_block_frames = 4096;
    double sample_rate_hz = 48000;  ///< 8000 to 768000
    double room = 1;                ///< its size, 0.1 to 4: the lines are 30 to 73 ms long at 1
    Settings settings{};
  };
  using Request = Spec;
  using Twin = ReverbTwin;

  /// Allocates all state and warms the device up. Throws InvalidArgument for a shape, rate or setting out of
  /// range, DeviceUnavailable, OutOfMemory. [setup]
  Reverb(Device device, const Spec& spec);

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
