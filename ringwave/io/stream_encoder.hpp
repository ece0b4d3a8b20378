// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ringwave/io/stream_format.hpp"

namespace ringwave::io {

/// Encodes an endless stream of 16-bit stereo, block by block. What one encode() appends is a piece: whole
/// packets, pages or frames. A listener may join before any piece: header() and the pieces from there on are
/// a stream that decodes without an error.
///
/// The same blocks give the same bytes. One thread at a time uses an encoder.
class StreamEncoder {
 public:
  struct Spec {
    StreamFormat format = StreamFormat::pcm;
    int sample_rate_hz = 48000;
    int block_frames = 960;        ///< frames of each block: 16 to 8192; a bare Opus packet's 2.5 to 60 ms
    int bitrate = 0;               ///< bits a second, for Opus and MP3; 0: 96000 and 192000
    std::string title = {};        ///< UTF-8, for Ogg, MP3 and FLAC; empty: none
    std::int64_t first_frame = 0;  ///< sample time of the first block; positions in Ogg count from there
  };

  virtual ~StreamEncoder() = default;

  /// What a listener gets before the first piece, always the same; empty where the format has none. [any]
  [[nodiscard]] virtual std::span<const std::byte> header() const noexcept = 0;

  /// Appends the piece that a block (left and right in turn) makes whole; that may be nothing yet. Throws
  /// InvalidArgument for a block of another length, Error where the codec's library fails. [server]
  virtual void encode(std::span<const std::int16_t> block, std::vector<std::byte>& out) = 0;
};

/// Throws InvalidArgument for a shape, a bitrate or a title that the format cannot have. [setup]
[[nodiscard]] std::unique_ptr<StreamEncoder> make_stream_encoder(const StreamEncoder::Spec& spec);

}  // namespace ringwave::io
