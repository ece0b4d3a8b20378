// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ringwave/backend/workload.hpp"
#include "ringwave/dsp/biquad.hpp"
#include "ringwave/dsp/section.hpp"
#include "ringwave/live/live_processor.hpp"
#include "ringwave/live/op_port.hpp"

namespace ringwave::live {

/// A cascade of second-order sections for live audio: dsp::Biquad, block by block before a deadline.
///
///   live::LiveBiquad filter({.channels = 2, .max_block_frames = 128}, sections);
///   filter.process(in, out);
class LiveBiquad final : public LiveProcessor {
 public:
  static constexpr std::string_view kName = "live_biquad";

  /// Allocates, makes the kernel resident and waits until it is. A change of the sections takes
  /// `smooth_frames`. Throws InvalidArgument for a spec out of range (at most 64 channels, 16 sections) and
  /// for sections that are not stable, DeviceUnavailable, OutOfMemory. [setup]
  LiveBiquad(const LiveSpec& spec, std::span<const dsp::Section> sections, int smooth_frames = 480);

  /// Where the sections shall go from the next block on: as many as there are. False, and nothing changed,
  /// for another number of them, one that is not stable, or a kernel that takes no message. [audio]
  RW_REALTIME bool set_sections(std::span<const dsp::Section> sections) noexcept;

  void recover() override;

  /// Frames by which the output lags the input: always 0. [any]
  [[nodiscard]] static constexpr int latency_frames() noexcept { return 0; }

  /// What the tuner and the tests know of one of its ways: an eighth-order low-pass. [setup]
  [[nodiscard]] static backend::OpInfo info(Way way);

 private:
  void make_ring();
  void make_op();

  std::vector<dsp::Section> sections_;
  int smooth_frames_;
  DirectPort<dsp::Biquad>* direct_ = nullptr;  // the port, by its kind
  QueuedPort<dsp::Biquad>* queued_ = nullptr;
};

}  // namespace ringwave::live
