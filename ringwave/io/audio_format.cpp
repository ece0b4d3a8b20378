// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/audio_format.hpp"

#include <algorithm>
#include <filesystem>
#include <span>

#include "ringwave/core/error.hpp"

namespace ringwave::io {
namespace {

constexpr std::array kOpusRatesHz{8000, 12000, 16000, 24000, 48000};
constexpr std::array kMp3RatesHz{8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000};

/// What a format has room for.
struct Shapes {
  int most_channels = kMostFileChannels;
  int most_rate_hz = kMostSampleRateHz;
  int most_fine_rate_hz = kMostSampleRateHz;  // beyond, only multiples of 10
  std::span<const int> rates_hz = {};  // these alone; none: all from kLeastSampleRateHz to most_rate_hz
};

Shapes shapes_of(AudioFormat format) noexcept {
  switch (format) {
    case AudioFormat::flac:
    case AudioFormat::flac16:
      return {.most_channels = 8, .most_rate_hz = 655350, .most_fine_rate_hz = 65535};
    case AudioFormat::ogg:
      return {.most_channels = 255, .most_rate_hz = 200000};  // libvorbis has no settings beyond
    case AudioFormat::opus:
      return {.most_channels = 255, .most_rate_hz = kOpusRatesHz.back(), .rates_hz = kOpusRatesHz};
    case AudioFormat::mp3:
      return {.most_channels = 2, .most_rate_hz = kMp3RatesHz.back(), .rates_hz = kMp3RatesHz};
    default:
      return {};
  }
}

std::string rates_text(const Shapes& shapes) {
  if (shapes.rates_hz.empty())
    return std::to_string(kLeastSampleRateHz) + " to " + std::to_string(shapes.most_rate_hz) + " Hz" +
           (shapes.most_fine_rate_hz < shapes.most_rate_hz
                ? ", above " + std::to_string(shapes.most_fine_rate_hz) + " in tens"
                : "");
  std::string rates = std::to_string(shapes.rates_hz.front());
  for (const int rate : shapes.rates_hz.subspan(1))
    rates += (rate == shapes.most_rate_hz ? " or " : ", ") + std::to_string(rate);
  return rates + " Hz";
}

std::string lower_case_ending(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return ending;
}

std::string format_names() {
  std::string names;
  for (const AudioFormat format : kAudioFormats)
    names += (names.empty() ? "" : ", ") + std::string(to_string(format));
  return names;
}

}  // namespace

std::string_view to_string(AudioFormat format) noexcept {
  switch (format) {
    case AudioFormat::wav16:
      return "wav16";
    case AudioFormat::wav24:
      return "wav24";
    case AudioFormat::wav32f:
      return "wav32f";
    case AudioFormat::flac:
      return "flac";
    case AudioFormat::flac16:
      return "flac16";
    case AudioFormat::ogg:
      return "ogg";
    case AudioFormat::opus:
      return "opus";
    case AudioFormat::mp3:
      return "mp3";
    case AudioFormat::raw:
      return "raw";
  }
  return "unknown";
}

AudioFormat audio_format_of_name(std::string_view name) {
  const auto* found = std::ranges::find(kAudioFormats, name, to_string);
  if (found == kAudioFormats.end())
    throw InvalidArgument("'" + std::string(name) + "' is no audio format; use one of " + format_names());
  return *found;
}

AudioFormat format_for_depth(AudioFormat format, int bits, bool holds_float) noexcept {
  const bool wide = holds_float || bits > 24;
  if (format == AudioFormat::wav16) {
    if (wide) return AudioFormat::wav32f;
    return bits > 16 ? AudioFormat::wav24 : AudioFormat::wav16;
  }
  return format == AudioFormat::flac && bits > 0 && bits <= 16 ? AudioFormat::flac16 : format;
}

AudioFormat audio_format_of_path(const std::string& path) {
  const std::string ending = lower_case_ending(path);
  if (ending == ".wav") return AudioFormat::wav16;
  if (ending == ".flac") return AudioFormat::flac;
  if (ending == ".ogg" || ending == ".oga") return AudioFormat::ogg;
  if (ending == ".opus") return AudioFormat::opus;
  if (ending == ".mp3") return AudioFormat::mp3;
  if (is_raw_path(path)) return AudioFormat::raw;
  throw InvalidArgument("the name '" + path +
                        "' does not say which audio format to write; end it in .wav, .flac, .ogg, .opus, "
                        ".mp3 or .raw, or name one of " +
                        format_names());
}

bool holds(AudioFormat format, int channels, int sample_rate_hz) noexcept {
  const Shapes shapes = shapes_of(format);
  const bool listed =
      shapes.rates_hz.empty() || std::ranges::find(shapes.rates_hz, sample_rate_hz) != shapes.rates_hz.end();
  const bool fine = sample_rate_hz <= shapes.most_fine_rate_hz || sample_rate_hz % 10 == 0;
  return listed && fine && channels >= 1 && channels <= shapes.most_channels &&
         sample_rate_hz >= kLeastSampleRateHz && sample_rate_hz <= shapes.most_rate_hz;
}

std::string shapes_text(AudioFormat format) {
  const Shapes shapes = shapes_of(format);
  return (shapes.most_channels == 2 ? "1 or " : "1 to ") + std::to_string(shapes.most_channels) +
         " channels at " + rates_text(shapes);
}

bool is_raw_path(const std::string& path) {
  const std::string ending = lower_case_ending(path);
  return ending == ".raw" || ending == ".f32";
}

}  // namespace ringwave::io
