// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ringwave/core/block_view.hpp"
#include "ringwave/dsp/drift_resampler.hpp"
#include "ringwave/dsp/rate_converter.hpp"
#include "ringwave/io/jack_output.hpp"

namespace ringwave::client {

/// Plays a stream at 48 kHz on the audio device, through JACK or PipeWire: begins once a target is in hand,
/// and keeps about that much by playing up to 0.2 % faster or slower, so that two clocks may drift for days.
class StreamPlayer {
 public:
  /// Throws DeviceUnavailable. [setup]
  StreamPlayer();

  void set_target(double seconds) noexcept { target_seconds_ = seconds; }
  /// Appends. Throws DeviceLost where the audio server went away. [setup]
  void play(BlockView<const float> stereo);

  /// What is in hand. [any]
  [[nodiscard]] double depth_seconds();
  [[nodiscard]] std::uint64_t underruns();

  /// Waits until all has been heard, for a moment longer than that takes. [setup]
  void finish();

 private:
  void convert(BlockView<const float> stereo);
  void follow_clock();
  void put_out();
  void begin();

  static constexpr int kStepFrames = 256;

  io::JackOutput output_;
  std::optional<dsp::RateConverter> converter_;  // where the device has another rate
  dsp::DriftResampler drift_;
  double target_seconds_ = 0.5;
  double smooth_depth_seconds_ = 0;
  bool playing_ = false;
  std::int64_t written_ = 0;
  std::vector<float> converted_;
  std::vector<float> left_;  // that wait for the drift resampler
  std::vector<float> right_;
  std::vector<float> step_in_;
  std::vector<float> step_out_;
};

}  // namespace ringwave::client
