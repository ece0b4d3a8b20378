// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/audio_format.hpp"

#include <algorithm>
#include <filesystem>

#include "ringwave/core/error.hpp"

namespace ringwave::io {
namespace {

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
    case AudioFormat::ogg:
      return "ogg";
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

AudioFormat audio_format_of_path(const std::string& path) {
  const std::string ending = lower_case_ending(path);
  if (ending == ".wav") return AudioFormat::wav16;
  if (ending == ".flac") return AudioFormat::flac;
  if (ending == ".ogg" || ending == ".oga") return AudioFormat::ogg;
  if (is_raw_path(path)) return AudioFormat::raw;
  throw InvalidArgument("the name '" + path +
                        "' does not say which audio format to write; end it in .wav, .flac, .ogg or .raw, or "
                        "name one of " +
                        format_names());
}

bool is_raw_path(const std::string& path) {
  const std::string ending = lower_case_ending(path);
  return ending == ".raw" || ending == ".f32";
}

}  // namespace ringwave::io
