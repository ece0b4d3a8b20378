// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "ringwave/backend/block_front.hpp"
#include "ringwave/backend/workload.hpp"
#include "ringwave/dsp/section.hpp"

namespace ringwave::dsp {

class BiquadTwin;

/// A cascade of second-order sections over many channels at once.
///
/// A change of the sections glides: over `smooth_frames` frames every coefficient walks in a straight line to
/// its new value, and every section on the way is stable, because the stable ones form a convex set. reset()
/// ends a change at once.
///
/// Samples are float, the memory between them is double. Every channel has its own memory: a NaN stays in the
/// channel it came in by, is counted, and leaves with the next reset(). The result does not depend on how the
/// signal is cut into blocks: on the CPU to the last bit, on a GPU to the rounding of the output.
class Biquad : public backend::BlockFront {
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

  /// Where the sections shall go from the next frame on: as many as there are, filled up with `{}` where a
  /// design has fewer. False, and nothing changed, for another number of them or one that is not stable.
  /// Wait for enqueued work first; what was captured before keeps its sections. A GPU takes blocks sample by
  /// sample from then on, a channel a warp: blocks of a thousand frames and more become slower. [audio]
  RW_REALTIME bool set_sections(std::span<const Section> sections) noexcept;

  /// Frames by which the output lags the input: always 0. [any]
  [[nodiscard]] static constexpr int latency_frames() noexcept { return 0; }

  /// What the tuner and the tests know of it: an eighth-order low-pass. [setup]
  [[nodiscard]] static backend::OpInfo info();

 private:
  std::size_t sections_;
};

}  // namespace ringwave::dsp
