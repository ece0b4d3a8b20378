// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "ringwave/io/byte_source.hpp"

namespace ringwave::io {

/// Turns the bytes of an input into samples.
class AudioDecoder {
 public:
  struct Info {
    int channels = 0;
    int sample_rate_hz = 0;
    std::optional<std::int64_t> frames = {};  ///< nothing where the input does not say
    int bits = 0;                             ///< of the integers that it holds; 0 for float and lossy codecs
    bool exact_length = false;  ///< whether fewer frames than `frames` mean that the input is torn
  };

  virtual ~AudioDecoder() = default;

  [[nodiscard]] virtual const Info& info() const noexcept = 0;

  /// Fills `interleaved` with whole frames; how many, fewer only at the end. Throws BadFile, Interrupted.
  /// [setup]
  virtual std::int64_t decode(std::span<float> interleaved) = 0;
};

/// Headerless float32, little-endian. [setup]
[[nodiscard]] std::unique_ptr<AudioDecoder> make_raw_decoder(ByteSource& source, int channels,
                                                             int sample_rate_hz);

/// WAV, RF64, W64, AIFF, AU, CAF, FLAC, Ogg (Vorbis, Opus) and MP3. Throws BadFile where it is none of them,
/// or broken. [setup]
[[nodiscard]] std::unique_ptr<AudioDecoder> make_sndfile_decoder(ByteSource& source);

}  // namespace ringwave::io
