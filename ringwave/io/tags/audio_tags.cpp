// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/tags/audio_tags.hpp"

#include <algorithm>
#include <array>

namespace ringwave::io {
namespace {

// Of EBU Tech 3285: the version, and from version 2 on five loudness values of 16 bits.
constexpr std::size_t kBroadcastVersionAt = 346;
constexpr std::size_t kBroadcastLevelsAt = 412;
constexpr std::size_t kBroadcastLevels = 5;

constexpr std::size_t kMostChapters = 1000;  // of three digits

std::string counted(std::size_t count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

bool is_wav(AudioFormat format) {
  return format == AudioFormat::wav16 || format == AudioFormat::wav24 || format == AudioFormat::wav32f;
}

bool is_vorbis_comment(AudioFormat format) {
  return format == AudioFormat::flac || format == AudioFormat::flac16 || format == AudioFormat::ogg ||
         format == AudioFormat::opus;
}

/// The Vorbis specification's rule for the names of fields.
bool is_vorbis_name(std::string_view name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](char c) { return c >= 0x20 && c <= 0x7d && c != '='; });
}

template <class Value>
void take_if_empty(std::vector<Value>& to, const std::vector<Value>& from) {
  if (to.empty()) to = from;
}

std::int64_t at_rate(std::int64_t frame, int from_hz, int to_hz) {
  // In two parts, so that no frame that a file can have overflows.
  const std::int64_t seconds = frame / from_hz;
  return seconds * to_hz + (frame % from_hz * to_hz + from_hz / 2) / from_hz;
}

/// The frames since midnight at which the programme begins.
void change_broadcast_time(std::vector<std::byte>& broadcast, int from_hz, int to_hz) {
  constexpr std::size_t kTimeAt = 338;
  constexpr std::size_t kTimeBytes = 8;
  if (broadcast.size() < kTimeAt + kTimeBytes) return;
  std::uint64_t time = 0;
  for (std::size_t i = kTimeBytes; i-- > 0;)
    time = time << 8U | std::to_integer<std::uint64_t>(broadcast[kTimeAt + i]);
  constexpr std::uint64_t kMostFrames = std::uint64_t{1} << 40;  // more than a day at any rate
  if (time > kMostFrames) return;
  time = static_cast<std::uint64_t>(at_rate(static_cast<std::int64_t>(time), from_hz, to_hz));
  for (std::size_t i = 0; i < kTimeBytes; ++i)
    broadcast[kTimeAt + i] = static_cast<std::byte>(time >> (8 * i) & 0xffU);
}

}  // namespace

std::optional<std::string> AudioTags::text(std::string_view name) const {
  const auto found = std::ranges::find(texts, name, &Text::name);
  return found == texts.end() ? std::nullopt : std::optional(found->value);
}

void AudioTags::add_absent(const AudioTags& other) {
  const std::size_t had_texts = texts.size();
  const std::size_t had_pictures = pictures.size();
  const auto is_new = [](const auto& list, std::size_t had, auto is_same) {
    return std::none_of(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(had), is_same);
  };
  for (const Text& more : other.texts)
    if (is_new(texts, had_texts, [&](const Text& text) { return text.name == more.name; }))
      texts.push_back(more);
  for (const Picture& more : other.pictures)
    if (is_new(pictures, had_pictures, [&](const Picture& picture) { return picture.kind == more.kind; }))
      pictures.push_back(more);
  take_if_empty(cues, other.cues);
  if (loops.empty()) root_note = other.root_note;
  take_if_empty(loops, other.loops);
  take_if_empty(broadcast, other.broadcast);
  take_if_empty(cue_sheet, other.cue_sheet);
  unread += other.unread;
}

void AudioTags::drop_levels() {
  std::erase_if(texts, [](const Text& text) {
    return text.name.starts_with("REPLAYGAIN_") || text.name.starts_with("R128_");
  });
  const std::size_t levels_end = kBroadcastLevelsAt + kBroadcastLevels * 2;
  if (broadcast.size() < levels_end || broadcast[kBroadcastVersionAt] < std::byte{2}) return;
  for (std::size_t at = kBroadcastLevelsAt; at < levels_end; at += 2) {
    broadcast[at] = std::byte{0xff};  // 0x7fff: not known
    broadcast[at + 1] = std::byte{0x7f};
  }
}

void AudioTags::change_rate(int from_hz, int to_hz) {
  if (from_hz == to_hz) return;
  cue_sheet.clear();  // whose frames are in its bytes; `cues` stays
  change_broadcast_time(broadcast, from_hz, to_hz);
  for (Cue& cue : cues) cue.frame = at_rate(cue.frame, from_hz, to_hz);
  for (Loop& loop : loops) {
    loop.begin = static_cast<std::uint32_t>(at_rate(loop.begin, from_hz, to_hz));
    loop.last = static_cast<std::uint32_t>(at_rate(std::int64_t{loop.last} + 1, from_hz, to_hz) - 1);
  }
}

std::vector<std::string> AudioTags::without_a_place_in(AudioFormat format) const {
  std::vector<std::string> left_out;
  const auto leave_out = [&](std::size_t count, const std::string& one) {
    if (count > 0) left_out.push_back(counted(count, one));
  };
  if (format == AudioFormat::raw) {
    leave_out(texts.size(), "tag");
    leave_out(pictures.size(), "picture");
    leave_out(cues.size(), "cue point");
  }
  if (is_vorbis_comment(format)) {
    leave_out(static_cast<std::size_t>(
                  std::ranges::count_if(texts, [](const Text& text) { return !is_vorbis_name(text.name); })),
              "tag");
    leave_out(cues.size() - std::min(cues.size(), kMostChapters), "cue point");
  }
  if (!is_wav(format)) {
    leave_out(loops.size(), "loop");
    if (!broadcast.empty()) left_out.emplace_back("the broadcast description");
  }
  if (unread > 0) left_out.push_back(counted(static_cast<std::size_t>(unread), "other field"));
  return left_out;
}

bool is_about_the_encoding(std::string_view name) noexcept {
  // TagLib calls ID3's TSSE "ENCODING" and TLEN "LENGTH".
  constexpr std::array kNames{"ENCODER",          "ENCODER_OPTIONS",
                              "ENCODING",         "ENCODERSETTINGS",
                              "LENGTH",           "WAVEFORMATEXTENSIBLE_CHANNEL_MASK",
                              "COMMENT:ITUNSMPB", "METADATA_BLOCK_PICTURE"};
  return std::ranges::any_of(kNames, [name](std::string_view known) { return known == name; });
}

}  // namespace ringwave::io
