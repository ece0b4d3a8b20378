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
  flac16,  ///< FLAC, 16-bit integers
  ogg,     ///< Ogg Vorbis, about 190 kbit/s for stereo
  opus,    ///< Ogg Opus, about 64 kbit/s for each channel
  mp3,     ///< MP3, as many bits as it needs: about 190 kbit/s for stereo
  raw,     ///< 32-bit float, little-endian, interleaved, without a header
};

inline constexpr std::array kAudioFormats{AudioFormat::wav16, AudioFormat::wav24,  AudioFormat::wav32f,
                                          AudioFormat::flac,  AudioFormat::flac16, AudioFormat::ogg,
                                          AudioFormat::opus,  AudioFormat::mp3,    AudioFormat::raw};

/// Sample rates that are taken, in files and for them.
inline constexpr int kLeastSampleRateHz = 1000;
inline constexpr int kMostSampleRateHz = 768000;

/// Channels of one file; libsndfile's own bound.
inline constexpr int kMostFileChannels = 1024;

/// The name that the command line has for it. [any]
[[nodiscard]] std::string_view to_string(AudioFormat format) noexcept;

/// The format of that name. Throws InvalidArgument that lists the names. [setup]
[[nodiscard]] AudioFormat audio_format_of_name(std::string_view name);

/// The same container with as many bits as samples of such an input need, where there is a choice: WAV for
/// 16, 24 and 32 bits, which are float; FLAC for 16 and 24. `bits` is 0 for float and lossy inputs. [any]
[[nodiscard]] AudioFormat format_for_depth(AudioFormat format, int bits, bool holds_float) noexcept;

/// The format that the path's ending means: .wav (16 bit), .flac (24 bit), .ogg, .oga, .opus, .mp3, .raw or
/// .f32, in any case. Throws InvalidArgument for another one. [setup]
[[nodiscard]] AudioFormat audio_format_of_path(const std::string& path);

/// Whether a file of that format can have so many channels at that rate. [any]
[[nodiscard]] bool holds(AudioFormat format, int channels, int sample_rate_hz) noexcept;

/// What holds() is true for, as "1 or 2 channels at 8000, 16000 or 48000 Hz". [setup]
[[nodiscard]] std::string shapes_text(AudioFormat format);

/// True where the path's ending says that there is no header. [any]
[[nodiscard]] bool is_raw_path(const std::string& path);

}  // namespace ringwave::io
