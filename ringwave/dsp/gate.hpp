// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ringwave/backend/block_front.hpp"
#include "ringwave/backend/workload.hpp"

namespace ringwave::dsp {

class GateTwin;

/// Lets through what is loud enough:  y[n] = g[n] x[n].  It opens with the first |x| at `open_db`, stays open
/// until no |x| has reached `close_db` for the time of the hold, and g walks in a straight line: from the
/// floor to 1 in the attack's time, back in the release's. That it closes lower than it opens, and later,
/// keeps a signal about the threshold from fluttering.
///
/// What is not finite is counted and taken as silence, so that it harms nothing behind it. The result does
/// not depend on how the signal is cut into blocks.
class Gate : public backend::BlockFront {
 public:
  static constexpr std::string_view kName = "gate";
  struct Settings {
    double open_db = -40;     ///< of full scale, -160 to 0
    double close_db = -46;    ///< not above open_db
    double floor_db = -80;    ///< the gain of the closed gate, -160 to 0; -160 is silence
    double attack_ms = 1;     ///< 0 to 10000
    double hold_ms = 50;      ///< 0 to 10000
    double release_ms = 100;  ///< 0 to 10000
  };
  struct Spec {
    int channels = 1;
    int max_block_frames = 4096;
    double sample_rate_hz = 48000;  ///< 8000 to 768000
    Settings settings{};
  };
  using Request = Spec;
  using Twin = GateTwin;

  /// Allocates all state and warms the device up. Throws InvalidArgument for a shape, rate or setting out of
  /// range, DeviceUnavailable, OutOfMemory. [setup]
  Gate(Device device, const Spec& spec);

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
