// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "ringwave/io/byte_source.hpp"
#include "ringwave/io/channel_layout.hpp"
#include "ringwave/io/file_signature.hpp"
#include "ringwave/io/tags/audio_tags.hpp"

namespace ringwave::io {

/// Turns the bytes of an input into samples, the channels of a frame in the order of Speakers.
class AudioDecoder {
 public:
  struct Info {
    int channels = 0;
    int sample_rate_hz = 0;
    std::optional<std::int64_t> frames = {};  ///< nothing where the input does not say
    int bits = 0;                             ///< of the integers that it holds; 0 for float and lossy codecs
    bool exact_length = false;  ///< whether fewer frames than `frames` mean that the input is torn
    bool holds_float = false;   ///< whether it holds floating-point numbers
    Speakers speakers = 0;      ///< 0 where it does not say
    AudioTags tags = {};
  };

  virtual ~AudioDecoder() = default;

  [[nodiscard]] virtual const Info& info() const noexcept = 0;

  /// Fills `interleaved` with whole frames; how many, 0 only at the end. What is before a damaged place is
  /// given before the damage is thrown. Throws BadFile, Interrupted. [setup]
  virtual std::int64_t decode(std::span<float> interleaved) = 0;
};

/// Headerless float32, little-endian. A frame that is cut in two at the end is left out where `salvage`, and
/// else BadFile. [setup]
[[nodiscard]] std::unique_ptr<AudioDecoder> make_raw_decoder(ByteSource& source, int channels,
                                                             int sample_rate_hz, bool salvage);

/// WAV, RF64, W64, AIFF, AU, CAF, FLAC and Ogg (Vorbis, Opus). Throws BadFile where it is none of them, or
/// broken. [setup]
[[nodiscard]] std::unique_ptr<AudioDecoder> make_sndfile_decoder(ByteSource& source,
                                                                 const FileSignature& signature);

/// MPEG audio of layers I to III, from a source that is no pipe. Throws BadFile where it is none. [setup]
[[nodiscard]] std::unique_ptr<AudioDecoder> make_mp3_decoder(ByteSource& source);

}  // namespace ringwave::io
