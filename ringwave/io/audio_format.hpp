// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace ringwave::io {

/// How an audio file is written.
enum class AudioFormat : unsigned char {
  wav16,   ///< WAV, 16-bit integers
  wav24,   ///< WAV, 24-bit integers
  wav32f,  ///< WAV, 32-bit float
  flac,    ///< FLAC, 24-bit integers
  ogg,     ///< Ogg Vorbis
  raw,     ///< 32-bit float, little-endian, interleaved, without a header
};

inline constexpr std::array kAudioFormats{AudioFormat::wav16, AudioFormat::wav24, AudioFormat::wav32f,
                                          AudioFormat::flac,  AudioFormat::ogg,   AudioFormat::raw};

/// Sample rates that are taken, in files and for them.
inline constexpr int kLeastSampleRateHz = 1000;
inline constexpr int kMostSampleRateHz = 768000;

/// Channels of one file; libsndfile's own bound.
inline constexpr int kMostFileChannels = 1024;

/// The name that the command line has for it. [any]
[[nodiscard]] std::string_view to_string(AudioFormat format) noexcept;

/// The format of that name. Throws InvalidArgument that lists the names. [setup]
[[nodiscard]] AudioFormat audio_format_of_name(std::string_view name);

/// The format that the path's ending means: .wav (16 bit), .flac, .ogg, .oga, .raw or .f32, in any case.
/// Throws InvalidArgument for another one. [setup]
[[nodiscard]] AudioFormat audio_format_of_path(const std::string& path);

/// True where the path's ending says that there is no header. [any]
[[nodiscard]] bool is_raw_path(const std::string& path);

}  // namespace ringwave::io
