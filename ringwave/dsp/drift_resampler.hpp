// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "ringwave/core/block_view.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"

namespace ringwave::dsp {

/// A stream that is played a little faster or slower, by a speed that may change while it plays:
///
///   y[m] = x(t[m] - latency),  t[m + 1] = t[m] + speed,  1 - range <= speed <= 1 + range
///
/// For two clocks of the same nominal rate that drift apart; ClockBridge finds the speed. x between the
/// samples is a sum over 48 of them under a Kaiser window, from 1024 phases with straight lines between.
/// Tones up to 0.83 of the Nyquist frequency, 20 kHz at 48 kHz, come out with everything that was not there
/// below -100 dB of them; above that the level falls, to -6 dB at Nyquist.
///
/// A NaN or an infinite sample is gone after 48 frames. The result does not depend on how the output is cut
/// into blocks.
class DriftResampler {
 public:
  static constexpr int kTaps = 48;
  static constexpr double kMostRange = 0.02;
  static constexpr int kGlideFrames = 512;  ///< of output, that a new speed takes

  struct Spec {
    int channels = 2;
    int max_block_frames = 4096;  ///< of the output
    double range = 0.005;         ///< the speed is 1 give or take this
  };

  /// Throws InvalidArgument for a shape or a range that cannot be. [setup]
  explicit DriftResampler(const Spec& spec);

  /// Glides to another speed in a straight line over the next kGlideFrames frames. What is out of range is
  /// brought to its end; a NaN changes nothing. [audio]
  RW_REALTIME void set_speed(double speed) noexcept;

  /// Where the glide leads. [any]
  [[nodiscard]] double speed() const noexcept { return walk_.target; }

  /// How many frames of input the next `output_frames` frames will take, 0 to max_block_frames of them.
  /// [audio]
  RW_REALTIME [[nodiscard]] int needed(int output_frames) const noexcept;

  /// The next frames. `wrong_shape`, silence and nothing taken where `in` does not have needed(out.frames())
  /// frames; the blocks lie apart from each other. [audio]
  RW_REALTIME Status process(BlockView<const float> in, BlockView<float> out) noexcept;

  /// Silence before the next frame; the speed is kept. [audio]
  RW_REALTIME void reset() noexcept;

  /// Frames by which the output lags the input. [any]
  [[nodiscard]] static constexpr int latency_frames() noexcept { return kTaps / 2; }

 private:
  /// The place of an output, in frames from the first that is kept, and how it moves.
  struct Walk {
    int frame = 0;
    double phase = 0;  // from there to the next
    double speed = 1;
    double target = 1;
    double change = 0;
    int left = 0;  // frames of the glide

    RW_REALTIME void next() noexcept;
  };

  void interpolate(double phase) noexcept;
  [[nodiscard]] float* line(int channel) noexcept { return lines_.data() + channel * line_frames_; }

  Spec spec_;
  Walk walk_;
  int kept_ = kTaps - 1;        // frames of every line that were given before
  std::ptrdiff_t line_frames_;  // room of a line
  std::vector<float> bank_;     // [phase][tap], one phase more than there are
  std::vector<float> lines_;    // [channel][line_frames]
  std::array<float, kTaps> taps_{};
};

}  // namespace ringwave::dsp
