// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/io/channel_layout.hpp"
#include "ringwave/io/sndfile_stream.hpp"
#include "ringwave/io/tags/audio_tags.hpp"

namespace ringwave::io {

/// The tags that libsndfile finds in the chunks of WAV, AIFF and CAF: text, pictures, cue points and loops.
/// [setup]
[[nodiscard]] AudioTags tags_of_chunks(SNDFILE* file, int sample_rate_hz);

/// Which loudspeaker each channel is for, a bit each, where the file says it and libsndfile understands it;
/// else empty. [setup]
[[nodiscard]] std::vector<Speakers> speakers_of(SNDFILE* file, int channels);

}  // namespace ringwave::io
