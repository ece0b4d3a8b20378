// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ringwave/io/byte_source.hpp"
#include "ringwave/io/tags/audio_tags.hpp"

namespace ringwave::io {

/// A block of a FLAC file's head.
struct FlacBlock {
  static constexpr unsigned kVorbisComment = 4;
  static constexpr unsigned kCueSheet = 5;
  static constexpr unsigned kPicture = 6;
  static constexpr std::size_t kHeadBytes = 4;
  static constexpr std::size_t kMostBytes = (1 << 24) - 1;
  static constexpr unsigned kLast = 0x80;

  unsigned kind = 0;
  std::vector<std::byte> bytes;
};

/// The blocks that hold tags, from after the four letters fLaC at the byte `begin` on. Of a pipe those within
/// its head. Throws as ByteSource::read(). [setup]
[[nodiscard]] std::vector<FlacBlock> read_flac_blocks(ByteSource& source, std::int64_t begin);

/// What they say. [setup]
[[nodiscard]] AudioTags tags_of_flac_blocks(const std::vector<FlacBlock>& blocks, int sample_rate_hz);

/// The tracks of a CUESHEET block, without its lead-out. [setup]
[[nodiscard]] std::vector<AudioTags::Cue> cues_of_cue_sheet(std::span<const std::byte> block);

}  // namespace ringwave::io
