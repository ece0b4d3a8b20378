// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/live/stations_job.hpp"
#include "ringwave/synth/voice_math.hpp"

namespace ringwave::live {

/// A voice in the first frames of the next block, if nothing happens to it: it plays them while nobody waits,
/// into its row. Where something does happen, it plays on from the piece that this is in.
struct VoiceProspect {
  /// Parts of chunks in a span, but for the first, at whose beginning a voice is what it is.
  static constexpr int kMostPieces = StationsSpan::kMostFrames / synth::kChunkFrames;

  std::int64_t made_ns = 0;  ///< the message after which it was made was sent; 0: it holds no more
  synth::VoiceRule::State pieces[kMostPieces]{};  ///< where each begins
  synth::VoiceRule::State after{};
};

}  // namespace ringwave::live
