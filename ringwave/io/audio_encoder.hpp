// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "ringwave/io/audio_format.hpp"
#include "ringwave/io/byte_sink.hpp"
#include "ringwave/io/channel_layout.hpp"
#include "ringwave/io/tags/audio_tags.hpp"

namespace ringwave::io {

/// Turns samples into the bytes of one format. Samples are finite; those beyond full scale are clipped where
/// the format has no room for them.
class AudioEncoder {
 public:
  struct Spec {
    AudioFormat format = AudioFormat::wav16;
    int channels = 1;
    int sample_rate_hz = 48000;
    std::optional<std::int64_t> frames = {};  ///< how many will come, where that is known
    bool dither = true;                       ///< for 16 bits
    Speakers speakers = 0;                    ///< 0: the usual ones for so many channels
    AudioTags tags = {};
  };

  virtual ~AudioEncoder() = default;

  /// Appends frames, the channels of each side by side in the order of Speakers. Throws BadFile, Interrupted.
  /// [setup]
  virtual void encode(std::span<const float> interleaved) = 0;

  /// Writes what can be written at the end only. Throws BadFile, Interrupted. [setup]
  virtual void finish() = 0;
};

/// WAV, and raw samples, which are WAV's without the header. Past 4 GiB the header becomes RF64. [setup]
[[nodiscard]] std::unique_ptr<AudioEncoder> make_wav_encoder(ByteSink& sink, const AudioEncoder::Spec& spec);

/// FLAC, Ogg Vorbis, Opus and MP3, of shapes that the format holds(). Throws InvalidArgument where this
/// libsndfile cannot write it. [setup]
[[nodiscard]] std::unique_ptr<AudioEncoder> make_sndfile_encoder(ByteSink& sink,
                                                                 const AudioEncoder::Spec& spec);

}  // namespace ringwave::io
