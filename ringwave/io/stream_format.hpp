// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace ringwave::io {

/// How an endless stream of 16-bit stereo goes to those who listen.
enum class StreamFormat : unsigned char {
  pcm,       ///< the samples themselves: little-endian, left and right in turn
  opus,      ///< one bare Opus packet for each block; a decoder lags by 6.5 ms
  ogg_opus,  ///< Opus in pages of Ogg, for players
  mp3,       ///< MP3 of a constant rate, every frame for itself
  flac,      ///< FLAC, streamable subset
  wav,       ///< the samples after a WAV header that does not know their number
};

inline constexpr std::array kStreamFormats{StreamFormat::pcm, StreamFormat::opus, StreamFormat::ogg_opus,
                                           StreamFormat::mp3, StreamFormat::flac, StreamFormat::wav};

/// Its name in messages and metrics. [any]
[[nodiscard]] std::string_view to_string(StreamFormat format) noexcept;

/// The format that a player means by the ending of an address: "opus" (in Ogg), "mp3", "flac" or "wav".
/// [any]
[[nodiscard]] std::optional<StreamFormat> stream_format_of_ending(std::string_view ending) noexcept;

/// Its media type, as HTTP's Content-Type says it. [any]
[[nodiscard]] std::string_view content_type(StreamFormat format) noexcept;

}  // namespace ringwave::io
