// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/core/host_device.hpp"
#include "ringwave/live/stations_job.hpp"
#include "ringwave/synth/voice_pass.hpp"

namespace ringwave::live {

/// A voice in the first frames of the next block, if nothing happens to it: what takes long before its first
/// frame is played is worked out while nobody waits. It lies in the shared memory of a block, and counts if
/// that block of the kernel made it, the handler's state names the same message, and the block of frames is
/// the one that was expected.
struct VoiceProspect {
  static constexpr int kSteps = StationsSpan::kMostFrames / synth::VoiceRule::kControlFrames;

  std::int64_t made_ns;  ///< of the message after which
  std::int64_t clock;
  int block;  ///< of the kernel: after another launch the memory may be what another one has left
  int block_frames;
  int frames;    ///< of them it is for these, the first
  bool is_pair;  ///< both halves of the warp have the same
  int row;       ///< -1: no voice
  int number;    ///< the same
  int patch;
  synth::VoiceRule::State state;  ///< at the first frame; what control steps change, after the last of them
  synth::ControlAhead steps[kSteps];

  /// True where a block of the kernel has made it after the message that the job names.
  [[nodiscard]] RW_HOST_DEVICE bool is_by(int a_block, const StationsJob& job) const {
    return job.foreseen_ns != 0 && made_ns == job.foreseen_ns && block == a_block;
  }

  [[nodiscard]] RW_HOST_DEVICE bool is_for(const synth::RenderHeader& header,
                                           const StationsSpan& span) const {
    return clock == header.clock && block_frames == header.frames && span.first + span.frames <= frames;
  }
};

}  // namespace ringwave::live
