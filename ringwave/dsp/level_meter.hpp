// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "ringwave/core/block_view.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"

namespace ringwave::dsp {

/// Peak and RMS of every channel, for a display beside running audio:
///
///   peak[n] = max(|x[n]|, f peak[n-1]),   f: the fall of the needle
///   s[n] = s[n-1] + k (x[n]^2 - s[n-1]),  k = 1 - exp(-1 / (integration fs)),  rms = sqrt(s)
///
/// A NaN or infinite sample is passed over and counted. The result does not depend on how the signal is cut
/// into blocks.
class LevelMeter {
 public:
  struct Spec {
    int channels = 2;
    int sample_rate_hz = 48000;
    double integration_s = 0.3;         ///< time constant of the RMS
    double fall_db_per_s = 20.0 / 1.7;  ///< of the peak; the default is IEC 60268-18's
  };

  /// Linear levels: 1 is full scale, and a sine of full scale has an RMS of 0.707.
  struct Level {
    float peak = 0;          ///< now, falling
    float rms = 0;           ///< now
    float highest_peak = 0;  ///< since the last reset()
  };

  /// Allocates all state. Throws InvalidArgument for a shape, a rate or a time out of range. [setup]
  explicit LevelMeter(const Spec& spec);

  /// Looks at a block of any number of frames; it is not changed. [audio]
  RW_REALTIME Status process(BlockView<const float> block) noexcept;

  /// The level of a channel after the last block; all zero for a channel that is not there. [any]
  [[nodiscard]] Level level(int channel) const noexcept;

  /// NaN and infinite samples so far. [any]
  [[nodiscard]] std::uint64_t nonfinite_samples() const noexcept { return nonfinite_.load(); }

  /// Forgets the past of every channel; the count stays. On the thread of process(). [audio]
  RW_REALTIME void reset() noexcept;

 private:
  struct Channel {
    double peak = 0;
    double square = 0;
    float highest = 0;
    std::atomic<float> shown_peak{0};
    std::atomic<float> shown_rms{0};
    std::atomic<float> shown_highest{0};
  };
  std::uint64_t follow(Channel& channel, std::span<const float> samples) const noexcept;

  double fall_;
  double smoothing_;
  std::vector<Channel> channels_;
  std::atomic<std::uint64_t> nonfinite_{0};
};

static_assert(std::atomic<float>::is_always_lock_free, "a display reads while audio runs");

}  // namespace ringwave::dsp
