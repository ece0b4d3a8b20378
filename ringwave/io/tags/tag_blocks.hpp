// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "ringwave/io/tags/audio_tags.hpp"
#include "ringwave/io/tags/id3_frames.hpp"

namespace ringwave::io {

/// The blocks of bytes that tags are in files, without the container around them. What makes no sense in a
/// block is left out, not an error. Cue points are chapters there, in milliseconds, hence the sample rate.

/// A Vorbis comment, with the pictures that are comments in it. [setup]
[[nodiscard]] AudioTags tags_of_vorbis_comment(std::span<const std::byte> block, int sample_rate_hz);

/// FLAC's PICTURE block. [setup]
[[nodiscard]] std::optional<AudioTags::Picture> picture_of_flac_block(std::span<const std::byte> block);

/// ID3v2, and ID3v1 where there is no other. [setup]
[[nodiscard]] AudioTags tags_of_id3(const Id3Blocks& blocks, int sample_rate_hz);

/// What follows "INFO" in a LIST chunk of RIFF. Text that is not UTF-8 is taken for Latin-1. [setup]
[[nodiscard]] AudioTags tags_of_riff_info(std::span<const std::byte> block);

/// The encoder's own comment `own`, which names it, with these tags; pictures are in it where `pictures`.
/// [setup]
[[nodiscard]] std::vector<std::byte> vorbis_comment(const AudioTags& tags, int sample_rate_hz,
                                                    std::span<const std::byte> own, bool pictures);

[[nodiscard]] std::vector<std::byte> flac_picture_block(const AudioTags::Picture& picture);

/// A whole ID3v2.4 tag; empty where there is nothing to say. [setup]
[[nodiscard]] std::vector<std::byte> id3_tag(const AudioTags& tags, int sample_rate_hz);

/// What follows "INFO" in a LIST chunk: the texts that have an id there. Empty where there are none. [setup]
[[nodiscard]] std::vector<std::byte> riff_info(const AudioTags& tags);

/// Whether riff_info() holds all of them. [setup]
[[nodiscard]] bool fits_riff_info(const AudioTags& tags);

}  // namespace ringwave::io
