// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/tags/chapter_comments.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <optional>

namespace ringwave::io {
namespace {

constexpr std::string_view kPrefix = "CHAPTER";
constexpr std::size_t kDigits = 3;
constexpr std::size_t kMostChapters = 1000;

/// The number of a text's chapter, and whether it is its name.
struct ChapterKey {
  std::string number;
  bool is_name = false;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::optional<ChapterKey> chapter_key(std::string_view name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  if (name.size() < kDigits || !std::ranges::all_of(name.substr(0, kDigits), is_digit)) return std::nullopt;
  const std::string_view rest = name.substr(kDigits);
  if (!rest.empty() && rest != "NAME") return std::nullopt;
  return ChapterKey{std::string(name.substr(0, kDigits)), !rest.empty()};
}

/// HH:MM:SS.mmm in milliseconds.
std::optional<std::int64_t> time_of(const std::string& text) {
  int hours = 0, minutes = 0, seconds = 0, milliseconds = 0, used = 0;
  const int fields =
      std::sscanf(text.c_str(), "%4d:%2d:%2d.%3d%n", &hours, &minutes, &seconds, &milliseconds, &used);
  if (fields != 4 || static_cast<std::size_t>(used) != text.size()) return std::nullopt;
  if (hours < 0 || minutes < 0 || seconds < 0 || milliseconds < 0) return std::nullopt;
  return ((std::int64_t{hours} * 60 + minutes) * 60 + seconds) * 1000 + milliseconds;
}

std::string time_text(std::int64_t milliseconds) {
  std::array<char, 48> text{};
  const auto seconds = static_cast<long long>(milliseconds / 1000);
  std::snprintf(text.data(), text.size(), "%02lld:%02lld:%02lld.%03lld", seconds / 3600, seconds / 60 % 60,
                seconds % 60, static_cast<long long>(milliseconds % 1000));
  return text.data();
}

}  // namespace

void cues_from_chapters(AudioTags& tags, int sample_rate_hz) {
  struct Chapter {
    std::optional<std::int64_t> time;
    std::string name;
  };
  std::map<std::string, Chapter> chapters;
  std::erase_if(tags.texts, [&](const AudioTags::Text& text) {
    const auto key = chapter_key(text.name);
    if (!key) return false;
    if (key->is_name)
      chapters[key->number].name = text.value;
    else
      chapters[key->number].time = time_of(text.value);
    return true;
  });
  for (const auto& [number, chapter] : chapters) {
    if (chapter.time)
      tags.cues.push_back({frame_of_milliseconds(*chapter.time, sample_rate_hz), chapter.name});
    else
      ++tags.unread;
  }
}

std::vector<AudioTags::Text> chapters_of_cues(const AudioTags& tags, int sample_rate_hz) {
  std::vector<AudioTags::Text> texts;
  for (std::size_t i = 0; i < std::min(tags.cues.size(), kMostChapters); ++i) {
    std::array<char, 32> name{};
    std::snprintf(name.data(), name.size(), "CHAPTER%03zu", i);
    texts.push_back({name.data(), time_text(milliseconds_of_frame(
                                      std::max<std::int64_t>(0, tags.cues[i].frame), sample_rate_hz))});
    if (!tags.cues[i].label.empty()) texts.push_back({std::string(name.data()) + "NAME", tags.cues[i].label});
  }
  return texts;
}

std::int64_t frame_of_milliseconds(std::int64_t milliseconds, int sample_rate_hz) noexcept {
  return milliseconds / 1000 * sample_rate_hz + (milliseconds % 1000 * sample_rate_hz + 500) / 1000;
}

std::int64_t milliseconds_of_frame(std::int64_t frame, int sample_rate_hz) noexcept {
  return frame / sample_rate_hz * 1000 +
         (frame % sample_rate_hz * 1000 + sample_rate_hz / 2) / sample_rate_hz;
}

}  // namespace ringwave::io
