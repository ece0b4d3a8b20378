// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "ringwave/core/host_device.hpp"
#include "ringwave/live/stations_job.hpp"
#include "ringwave/synth/station_pass.hpp"
#include "ringwave/synth/voice_pass.hpp"

namespace ringwave::live {

/// Both sides in 16 bits.
struct alignas(4) PcmFrame {
  std::int16_t left;
  std::int16_t right;
};

/// Where a voice's frames go, if anywhere: a row of as many as a span has at most.
struct VoiceRow {
  synth::BusFrame* frames;
  int first;  ///< frame of the block

  /// Of a frame of the block.
  [[nodiscard]] RW_HOST_DEVICE static constexpr int column(int frame) {
    return frame % StationsSpan::kMostFrames;
  }

  RW_HOST_DEVICE void operator()(int n, synth::VoiceRule::Frame frame) const {
    if (frames != nullptr) frames[column(first + n)] = {frame.left, frame.right};
  }
};

/// Where a station's frames go: into what is kept, and into the reply where somebody waits for it.
struct StationRow {
  std::byte* kept;
  std::byte* reply;
  std::size_t first;  ///< frame, of the whole output
  std::uint32_t station;
  bool is_pcm;

  RW_HOST_DEVICE void operator()(int n, synth::StereoFrame heard, std::uint32_t clock, bool is_on) const {
    using synth::StationRule;
    const std::size_t frame = first + static_cast<std::size_t>(n);
    if (!is_on) heard = {};
    if (!is_pcm) return put(frame, synth::BusFrame{heard.left, heard.right});
    put(frame, is_on ? PcmFrame{StationRule::quantized(heard.left, StationRule::dither(station, clock, 0)),
                                StationRule::quantized(heard.right, StationRule::dither(station, clock, 1))}
                     : PcmFrame{0, 0});
  }

  template <class Frame>
  RW_HOST_DEVICE void put(std::size_t frame, Frame value) const {
    reinterpret_cast<Frame*>(kept)[frame] = value;
    if (reply != nullptr) reinterpret_cast<Frame*>(reply)[frame] = value;
  }
};

}  // namespace ringwave::live
