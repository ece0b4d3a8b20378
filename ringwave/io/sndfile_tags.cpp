// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/sndfile_tags.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "ringwave/io/tags/tag_blocks.hpp"

namespace ringwave::io {
namespace {

struct NamedString {
  int kind;
  const char* name;
};
constexpr std::array kStrings{
    NamedString{SF_STR_TITLE, "TITLE"},     NamedString{SF_STR_COPYRIGHT, "COPYRIGHT"},
    NamedString{SF_STR_ARTIST, "ARTIST"},   NamedString{SF_STR_COMMENT, "COMMENT"},
    NamedString{SF_STR_DATE, "DATE"},       NamedString{SF_STR_ALBUM, "ALBUM"},
    NamedString{SF_STR_LICENSE, "LICENSE"}, NamedString{SF_STR_TRACKNUMBER, "TRACKNUMBER"},
    NamedString{SF_STR_GENRE, "GENRE"}};

/// libsndfile's numbers for loudspeakers, from SF_CHANNEL_MAP_INVALID on, as WAVE's bits.
constexpr std::array<Speakers, SF_CHANNEL_MAP_TOP_REAR_CENTER + 1> kSpeakerBits{
    0,    0x4,  0x1,   0x2,   0x4,   0x1,    0x2,    0x4,    0x100,  0x10,    0x20,   0x8,
    0x40, 0x80, 0x200, 0x400, 0x800, 0x1000, 0x4000, 0x2000, 0x8000, 0x20000, 0x10000};

std::vector<std::byte> chunk_bytes(SF_CHUNK_ITERATOR* iterator) {
  SF_CHUNK_INFO info{};
  if (sf_get_chunk_size(iterator, &info) != SF_ERR_NO_ERROR || info.datalen > kMostTagBytes) return {};
  std::vector<std::byte> bytes(info.datalen);
  info.data = bytes.data();
  if (bytes.empty() || sf_get_chunk_data(iterator, &info) != SF_ERR_NO_ERROR) return {};
  return bytes;
}

/// Gives every chunk of that name to `see`.
template <class See>
void for_each_chunk(SNDFILE* file, std::string_view name, See see) {
  SF_CHUNK_INFO wanted{};
  std::ranges::copy(name, wanted.id);
  wanted.id_size = static_cast<unsigned>(name.size());
  std::size_t left = kMostTagBytesInAll;
  for (auto* chunk = sf_get_chunk_iterator(file, &wanted); chunk != nullptr;
       chunk = sf_next_chunk_iterator(chunk)) {
    const std::vector<std::byte> bytes = chunk_bytes(chunk);
    if (bytes.size() > left) break;
    left -= bytes.size();
    see(std::span<const std::byte>(bytes));
  }
}

bool begins_with(std::span<const std::byte> bytes, std::string_view text) {
  return bytes.size() >= text.size() && std::memcmp(bytes.data(), text.data(), text.size()) == 0;
}

void read_cues(SNDFILE* file, AudioTags& tags) {
  std::uint32_t count = 0;
  constexpr std::uint32_t kMostCues = 2500;  // libsndfile's own bound
  if (sf_command(file, SFC_GET_CUE_COUNT, &count, sizeof count) == SF_FALSE) return;
  count = std::min(count, kMostCues);
  using Cues = SF_CUES_VAR(kMostCues);
  const auto cues = std::make_unique<Cues>();
  const auto bytes = offsetof(SF_CUES, cue_points) + count * sizeof(SF_CUE_POINT);
  if (count == 0 || sf_command(file, SFC_GET_CUE, cues.get(), static_cast<int>(bytes)) == SF_FALSE) return;
  for (std::uint32_t i = 0; i < count; ++i) {
    const SF_CUE_POINT& cue = cues->cue_points[i];
    const std::string_view name(cue.name, strnlen(cue.name, sizeof cue.name));
    tags.cues.push_back({cue.sample_offset, std::string(name)});
  }
}

AudioTags::Loop::Way way_of(int mode) {
  if (mode == SF_LOOP_ALTERNATING) return AudioTags::Loop::Way::there_and_back;
  return mode == SF_LOOP_BACKWARD ? AudioTags::Loop::Way::backward : AudioTags::Loop::Way::forward;
}

/// libsndfile says the frame after the last one.
void read_loops(SNDFILE* file, AudioTags& tags) {
  SF_INSTRUMENT instrument{};
  if (sf_command(file, SFC_GET_INSTRUMENT, &instrument, sizeof instrument) == SF_FALSE) return;
  constexpr int kMostLoops = 16;
  for (int i = 0; i < std::clamp(instrument.loop_count, 0, kMostLoops); ++i) {
    const auto& loop = instrument.loops[i];
    if (loop.end > loop.start)
      tags.loops.push_back({way_of(loop.mode), loop.start, loop.end - 1, loop.count});
  }
  tags.root_note = std::clamp<int>(instrument.basenote, 0, 127);
}

}  // namespace

AudioTags tags_of_chunks(SNDFILE* file, int sample_rate_hz) {
  AudioTags tags;
  for (const char* name : {"id3 ", "ID3 "})
    for_each_chunk(file, name, [&](std::span<const std::byte> bytes) {
      tags.add_absent(tags_of_id3({.v2 = {bytes.begin(), bytes.end()}, .v1 = {}}, sample_rate_hz));
    });
  for_each_chunk(file, "LIST", [&](std::span<const std::byte> bytes) {
    if (begins_with(bytes, "INFO")) tags.add_absent(tags_of_riff_info(bytes.subspan(4)));
  });
  for_each_chunk(file, "bext", [&](std::span<const std::byte> bytes) {
    tags.broadcast.assign(bytes.begin(), bytes.end());
  });
  AudioTags strings;
  for (const NamedString& string : kStrings)
    if (const char* value = sf_get_string(file, string.kind); value != nullptr && *value != '\0')
      strings.texts.push_back({string.name, value});
  tags.add_absent(strings);
  AudioTags places;
  read_cues(file, places);
  read_loops(file, places);
  if (!places.cues.empty()) tags.cues = places.cues;
  tags.loops = places.loops;
  tags.root_note = places.root_note;
  return tags;
}

std::vector<Speakers> speakers_of(SNDFILE* file, int channels) {
  std::vector<int> map(static_cast<std::size_t>(channels));
  const auto bytes = static_cast<int>(map.size() * sizeof(int));
  if (sf_command(file, SFC_GET_CHANNEL_MAP_INFO, map.data(), bytes) == SF_FALSE) return {};
  std::vector<Speakers> speakers;
  speakers.reserve(map.size());
  for (const int place : map)
    speakers.push_back(place > 0 && place < static_cast<int>(kSpeakerBits.size())
                           ? kSpeakerBits[static_cast<std::size_t>(place)]
                           : 0);
  return speakers;
}

}  // namespace ringwave::io
