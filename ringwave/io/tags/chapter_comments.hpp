// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/io/tags/audio_tags.hpp"

namespace ringwave::io {

/// Cue points where only text is kept: the comments CHAPTER001=00:01:02.345 and CHAPTER001NAME=Refrain of
/// Vorbis, Opus and FLAC, which others read as chapters. They are exact to a millisecond.

/// Makes cue points of the texts that are chapters. [setup]
void cues_from_chapters(AudioTags& tags, int sample_rate_hz);

/// The chapters that stand for the first 1000 cue points. [setup]
[[nodiscard]] std::vector<AudioTags::Text> chapters_of_cues(const AudioTags& tags, int sample_rate_hz);

/// The frame at that time, and the other way round. [any]
[[nodiscard]] std::int64_t frame_of_milliseconds(std::int64_t milliseconds, int sample_rate_hz) noexcept;
[[nodiscard]] std::int64_t milliseconds_of_frame(std::int64_t frame, int sample_rate_hz) noexcept;

}  // namespace ringwave::io
