// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/core/host_device.hpp"
#include "ringwave/ring/message.hpp"
#include "ringwave/synth/render_header.hpp"
#include "ringwave/synth/renderer_twins.hpp"
#include "ringwave/synth/voice_event.hpp"

namespace ringwave::live {

/// A request for the next block of live stations: a RenderHeader, its commands and its events, as the
/// renderer's twins get them.
struct StationsJob {
  RW_HOST_DEVICE explicit StationsJob(const ring::Message& message)
      : header(reinterpret_cast<const synth::RenderHeader*>(message.data())) {
    if (message.bytes() < sizeof(synth::RenderHeader)) return;
    commands = reinterpret_cast<const synth::StationCommand*>(message.data() + sizeof(synth::RenderHeader));
    events = reinterpret_cast<const synth::VoiceEvent*>(commands + header->commands);
  }

  const synth::RenderHeader* header;
  const synth::StationCommand* commands = nullptr;
  const synth::VoiceEvent* events = nullptr;
  std::int64_t foreseen_ns = 0;  ///< of the message after which its voices were foreseen; 0: they were not
};

/// Some frames of the block, which go through all passes at once.
struct StationsSpan {
  static constexpr int kMostFrames = 128;

  int first;  ///< frame of the block
  int frames;
  std::int64_t clock;  ///< of the first
};

}  // namespace ringwave::live
