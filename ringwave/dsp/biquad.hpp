// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ringwave/backend/workload.hpp"
#include "ringwave/core/block_view.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/queue.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"
#include "ringwave/dsp/section.hpp"

namespace ringwave::dsp {

class BiquadTwin;

/// A cascade of second-order sections over many channels at once.
///
/// A change of the sections glides: over `smooth_frames` frames every coefficient walks in a straight line to
/// its new value, and every section on the way is stable, because the stable ones form a convex set.
///
/// Samples are float, the memory between them is double. Every channel has its own memory: a NaN stays in the
/// channel it came in by, is counted, and leaves with the next reset(). The result does not depend on how the
/// signal is cut into blocks: on the CPU to the last bit, on a GPU to the rounding of the output.
class Biquad {
 public:
  static constexpr std::string_view kName = "biquad";
  static constexpr std::size_t kMostSections = 64;
  struct Spec {
    int channels = 1;
    int max_block_frames = 4096;
    int smooth_frames = 480;  ///< frames that a change of the sections takes; 0: at once
  };
  struct Request {
    Spec spec;
    std::vector<Section> sections;
  };
  using Twin = BiquadTwin;

  /// Allocates all state and warms the device up. Throws InvalidArgument for a section whose poles are not
  /// inside the unit circle, naming the section and the pole, for none or more than kMostSections of them and
  /// for a shape or smoothing out of range; DeviceUnavailable; OutOfMemory. [setup]
  Biquad(Device device, const Spec& spec, std::span<const Section> sections);
  ~Biquad();
  Biquad(Biquad&&) noexcept;
  Biquad& operator=(Biquad&&) noexcept;
  Biquad(const Biquad&) = delete;  // its state lives on a device
  Biquad& operator=(const Biquad&) = delete;

  /// Filters `in` into `out`, both in host memory; they may be the same. On anything but `ok` the output is
  /// silence. [audio]
  RW_REALTIME Status process(BlockView<const float> in, BlockView<float> out) noexcept;

  /// The same in the order of `queue`, which is on this op's device, between blocks in that device's memory
  /// or in pinned host memory. Do not mix with process() without waiting for the queue. [audio]
  RW_REALTIME Status enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept;

  /// Where the sections shall go from the next frame on: as many as there are, filled up with `{}` where a
  /// design has fewer. False, and nothing changed, for another number of them or one that is not stable.
  /// Wait for enqueued work first; what was captured before keeps its sections. A GPU takes blocks sample by
  /// sample from then on, a channel a warp: blocks of a thousand frames and more become slower. [audio]
  RW_REALTIME bool set_sections(std::span<const Section> sections) noexcept;

  /// Forgets the past of every channel, keeps the sections and ends a change of them at once. [audio]
  RW_REALTIME void reset() noexcept;

  /// The same in the order of `queue`. [audio]
  RW_REALTIME Status enqueue_reset(Queue& queue) noexcept;

  /// NaN and infinite samples that came in so far; waits for work in flight. [setup]
  [[nodiscard]] std::uint64_t nonfinite_samples() const;

  /// Where it runs; never `auto`. [any]
  [[nodiscard]] Device device() const noexcept { return device_; }

  /// Frames by which the output lags the input: always 0. [any]
  [[nodiscard]] static constexpr int latency_frames() noexcept { return 0; }

  /// What the tuner and the tests know of it: an eighth-order low-pass. [setup]
  [[nodiscard]] static backend::OpInfo info();

 private:
  Spec spec_;
  Device device_;
  std::size_t sections_;
  std::unique_ptr<BiquadTwin> twin_;
};

}  // namespace ringwave::dsp
