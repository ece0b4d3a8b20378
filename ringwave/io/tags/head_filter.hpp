// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ringwave/io/channel_layout.hpp"
#include "ringwave/io/tags/audio_tags.hpp"

namespace ringwave::io {

/// Puts tags into the head of a file while an encoder writes it, so that they are in a pipe, too.
class HeadFilter {
 public:
  virtual ~HeadFilter() = default;

  /// What is to be written for the encoder's next bytes; maybe less at first, because the head is not whole,
  /// and more later. [setup]
  [[nodiscard]] virtual std::vector<std::byte> pass(std::span<const std::byte> bytes) = 0;

  /// The byte of the file that is the encoder's byte `position`, where the encoder goes back to one. [any]
  [[nodiscard]] virtual std::int64_t place_of(std::int64_t position) const noexcept = 0;
};

struct HeadFilterSpec {
  AudioFormat format = AudioFormat::flac;
  int channels = 1;
  int sample_rate_hz = 48000;
  AudioTags tags;
  Speakers speakers = 0;  ///< said in FLAC where they are not the usual ones
};

/// The filter for FLAC, Ogg Vorbis, Opus or MP3; none where there is nothing to put in. [setup]
[[nodiscard]] std::unique_ptr<HeadFilter> make_head_filter(const HeadFilterSpec& spec);

}  // namespace ringwave::io
