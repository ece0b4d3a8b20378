// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/core/host_device.hpp"
#include "ringwave/ring/message.hpp"
#include "ringwave/synth/knob_math.hpp"
#include "ringwave/synth/render_header.hpp"
#include "ringwave/synth/renderer_twins.hpp"
#include "ringwave/synth/voice_event.hpp"

namespace ringwave::live {

/// Some frames of the block, which go through all passes at once.
struct StationsSpan {
  static constexpr int kMostFrames = 128;

  int first;  ///< frame of the block
  int frames;
  std::int64_t clock;  ///< of the first
  int heard;           ///< frames from the first on that go out meanwhile
};

/// How a block is cut into spans. What is heard of a chunk of the clock depends on the chunks before it
/// alone, since the ceiling is late by more than a chunk: so the last one that the block has a part of is a
/// span of its own, rendered when the block is out.
struct StationsCut {
  RW_HOST_DEVICE StationsCut(std::int64_t a_clock, int a_frames) : clock(a_clock), frames(a_frames) {
    const auto in_chunk = static_cast<int>((clock + frames - 1) % synth::kChunkFrames);
    before = in_chunk < frames ? frames - in_chunk - 1 : 0;
  }

  std::int64_t clock;
  int frames;
  int before;  ///< frames before the last span

  /// The one that begins with a frame before the last span. It has no frames where there is no such frame.
  [[nodiscard]] RW_HOST_DEVICE StationsSpan at(int first) const {
    const int left = before - first;
    const int count = left < StationsSpan::kMostFrames ? left : StationsSpan::kMostFrames;
    return {first, count, clock + first, count == left ? frames - first : count};
  }

  /// Frames from the first on whose voices may be played before the block is asked for.
  [[nodiscard]] RW_HOST_DEVICE int foreseen() const {
    return frames <= StationsSpan::kMostFrames ? frames : at(0).frames;
  }

  /// What nobody waits for.
  [[nodiscard]] RW_HOST_DEVICE StationsSpan last() const {
    return {before, frames - before, clock + before, 0};
  }
};

/// A request for the next block of live stations: a RenderHeader, its commands and its events, as the
/// renderer's twins get them.
struct StationsJob {
  RW_HOST_DEVICE explicit StationsJob(const ring::Message& message)
      : header(reinterpret_cast<const synth::RenderHeader*>(message.data())) {
    if (message.bytes() < sizeof(synth::RenderHeader)) return;
    commands = reinterpret_cast<const synth::StationCommand*>(message.data() + sizeof(synth::RenderHeader));
    events = reinterpret_cast<const synth::VoiceEvent*>(commands + header->commands);
  }

  [[nodiscard]] RW_HOST_DEVICE StationsCut cut() const { return {header->clock, header->frames}; }

  /// Which piece a frame is in, from 0 on: pieces are the block's parts of chunks.
  [[nodiscard]] RW_HOST_DEVICE int piece_at(int frame) const {
    return static_cast<int>((header->clock + frame) / synth::kChunkFrames -
                            header->clock / synth::kChunkFrames);
  }

  /// Frames of a span before the piece that a frame is in; all where that comes later.
  [[nodiscard]] RW_HOST_DEVICE int frames_before(int frame, const StationsSpan& span) const {
    if (frame >= span.first + span.frames) return span.frames;
    const int begin = frame - static_cast<int>((header->clock + frame) % synth::kChunkFrames);
    return begin > span.first ? begin - span.first : 0;
  }

  const synth::RenderHeader* header;
  const synth::StationCommand* commands = nullptr;
  const synth::VoiceEvent* events = nullptr;
  std::int64_t foreseen_ns = 0;  ///< of the message after which its voices were foreseen; 0: they were not
};

}  // namespace ringwave::live
