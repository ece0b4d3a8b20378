// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "ringwave/core/block_view.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/spsc_ring.hpp"
#include "ringwave/core/status.hpp"
#include "ringwave/core/triple_buffer.hpp"
#include "ringwave/dsp/drift_resampler.hpp"

namespace ringwave::dsp {

/// Audio from a thread that runs by one clock to a thread that runs by another: a ring between them, and a
/// DriftResampler that is steered so that the ring stays as full as it should be.
///
///   speed = 1 + 0.2 e + 0.01 integral of e dt,    e = (fill - target) / rate, smoothed over half a second
///
/// With that a lasting drift is matched with a time constant of 10 s and without overshoot of the speed's own
/// making; 200 ppm move the fill by less than a millisecond on the way. Both sides say when they call: the
/// fill is what the producer must have by now, not what it last delivered, or blocks that slide past each
/// other would be heard as wobble.
///
/// The consumer hears silence until the ring is filled for the first time. Where it runs dry the same happens
/// again, and where it overflows the new frames are dropped; both are counted.
class ClockBridge {
 public:
  struct Spec {
    int channels = 2;
    int sample_rate_hz = 48000;
    int max_block_frames = 512;  ///< of either side
    /// That wait in the ring, with those that the producer has and not yet given; at least three blocks: one
    /// on its way, one to take, one for threads that are late.
    int target_frames = 2048;
    double range = 0.005;  ///< by which the clocks may differ
  };

  /// Throws InvalidArgument for a shape that cannot be. [setup]
  explicit ClockBridge(const Spec& spec);

  /// Adds a block; `now_ns` is any steady clock, the same for both sides. `wrong_shape`, and nothing done,
  /// for another number of channels or too many frames; `busy` where the block was dropped. Producer only.
  /// [audio]
  RW_REALTIME Status write(BlockView<const float> block, std::int64_t now_ns) noexcept;

  /// Fills a block. `wrong_shape` and silence for another number of channels or too many frames; `busy` and
  /// silence where there is not enough yet. Consumer only. [audio]
  RW_REALTIME Status read(BlockView<float> block, std::int64_t now_ns) noexcept;

  /// The speed that is steered to: the producer's rate over the consumer's, once it has settled. [any]
  [[nodiscard]] double speed() const noexcept { return seen_speed_.load(std::memory_order_relaxed); }
  /// Frames in the ring, as the controller sees them. [any]
  [[nodiscard]] double fill_frames() const noexcept { return seen_fill_.load(std::memory_order_relaxed); }
  /// Times that the ring ran dry, and frames that were dropped. [any]
  [[nodiscard]] std::uint64_t underruns() const noexcept {
    return underruns_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t dropped_frames() const noexcept {
    return dropped_.load(std::memory_order_relaxed);
  }

  /// Frames by which the output lags the input when the loop has settled. [any]
  [[nodiscard]] int latency_frames() const noexcept {
    return spec_.target_frames + DriftResampler::latency_frames();
  }

 private:
  /// What the producer had given, and when.
  struct Stamp {
    std::int64_t frames = 0;
    std::int64_t now_ns = 0;
  };

  [[nodiscard]] bool fits(BlockView<const float> block) const noexcept;
  [[nodiscard]] double fill_at(std::int64_t now_ns) noexcept;
  void steer(std::int64_t now_ns) noexcept;
  void start(std::int64_t now_ns) noexcept;

  Spec spec_;
  SpscRing<float> ring_;  // frames, their channels side by side
  TripleBuffer<Stamp> stamps_;

  std::int64_t written_ = 0;         // the producer's
  std::vector<float> write_frames_;  // a block, interleaved

  DriftResampler resampler_;  // the rest is the consumer's
  std::vector<float> read_frames_;
  std::vector<float> planes_;
  std::int64_t taken_ = 0;
  std::int64_t last_ns_ = 0;
  double error_seconds_ = 0;
  double integral_ = 0;  // of the error, in speed
  bool running_ = false;

  std::atomic<double> seen_speed_{1};
  std::atomic<double> seen_fill_{0};
  std::atomic<std::uint64_t> underruns_{0};
  std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace ringwave::dsp
