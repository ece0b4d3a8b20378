// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "ringwave/io/tags/audio_tags.hpp"

namespace ringwave::io {

/// The chunks of a WAV file that say the tags: bext, LIST of INFO, id3 for what INFO has no words for, cue
/// with the labels in LIST of adtl, and smpl. Whole chunks of even length; empty where there is nothing to
/// say. [setup]
[[nodiscard]] std::vector<std::byte> wav_chunks(const AudioTags& tags, int sample_rate_hz);

}  // namespace ringwave::io
