// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/tags/flac_blocks.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "ringwave/io/tags/tag_blocks.hpp"

namespace ringwave::io {
namespace {

constexpr std::size_t kMagicBytes = 4;

std::size_t big_endian(std::span<const std::byte> bytes) {
  std::size_t value = 0;
  for (const std::byte b : bytes) value = value << 8U | std::to_integer<std::size_t>(b);
  return value;
}

bool holds_tags(unsigned kind) {
  return kind == FlacBlock::kVorbisComment || kind == FlacBlock::kCueSheet || kind == FlacBlock::kPicture;
}

/// Whether so many bytes from `position` on are there at all, before room is made for them.
bool is_there(const ByteSource& source, std::int64_t position, std::size_t bytes) {
  return position + static_cast<std::int64_t>(bytes) <= source.size().value_or(ByteSource::kHeadBytes);
}

}  // namespace

std::vector<FlacBlock> read_flac_blocks(ByteSource& source, std::int64_t begin) {
  std::vector<FlacBlock> blocks;
  std::size_t kept = 0;
  std::int64_t position = begin + static_cast<std::int64_t>(kMagicBytes);
  std::array<std::byte, FlacBlock::kHeadBytes> head{};
  for (bool last = false; !last;) {
    if (!source.seek(position) || source.read(head) < head.size()) break;
    last = (std::to_integer<unsigned>(head[0]) & FlacBlock::kLast) != 0;
    const unsigned kind = std::to_integer<unsigned>(head[0]) & ~FlacBlock::kLast;
    const std::size_t bytes = big_endian(std::span(head).subspan(1));
    position += static_cast<std::int64_t>(FlacBlock::kHeadBytes);
    if (!is_there(source, position, bytes)) break;
    if (holds_tags(kind)) {
      const bool fits = kept + bytes <= kMostTagBytesInAll;  // else it stays empty, which makes no sense
      FlacBlock& block = blocks.emplace_back(FlacBlock{kind, std::vector<std::byte>(fits ? bytes : 0)});
      if (source.read(block.bytes) < block.bytes.size()) {
        blocks.pop_back();
        break;
      }
      kept += block.bytes.size();
    }
    position += static_cast<std::int64_t>(bytes);
  }
  return blocks;
}

AudioTags tags_of_flac_blocks(const std::vector<FlacBlock>& blocks, int sample_rate_hz) {
  AudioTags tags;
  for (const FlacBlock& block : blocks) {
    if (block.kind == FlacBlock::kVorbisComment) {
      AudioTags found = tags_of_vorbis_comment(block.bytes, sample_rate_hz);
      std::swap(found.pictures, tags.pictures);  // those of blocks are added one by one
      tags.add_absent(found);
    } else if (block.kind == FlacBlock::kCueSheet) {
      tags.cue_sheet = block.bytes;
    } else if (auto picture = picture_of_flac_block(block.bytes)) {
      tags.pictures.push_back(std::move(*picture));
    } else {
      ++tags.unread;
    }
  }
  if (tags.cues.empty()) tags.cues = cues_of_cue_sheet(tags.cue_sheet);
  return tags;
}

std::vector<AudioTags::Cue> cues_of_cue_sheet(std::span<const std::byte> block) {
  constexpr std::size_t kTracksAt =
      395;  // after the catalogue number, the lead-in, flags and what is reserved
  constexpr std::size_t kTrackBytes = 36;
  constexpr std::size_t kNumberAt = 8;
  constexpr std::size_t kIndicesAt = 35;
  constexpr std::size_t kIndexBytes = 12;
  constexpr std::array<std::size_t, 2> kLeadOut{170, 255};
  constexpr std::size_t kMostFrames = std::size_t{1} << 36U;  // FLAC itself counts no further
  std::vector<AudioTags::Cue> cues;
  if (block.size() <= kTracksAt) return cues;
  std::size_t left = std::to_integer<std::size_t>(block[kTracksAt]);
  auto rest = block.subspan(kTracksAt + 1);
  for (; left > 0 && rest.size() >= kTrackBytes; --left) {
    const std::size_t frame = big_endian(rest.first(8));
    const auto number = std::to_integer<std::size_t>(rest[kNumberAt]);
    if (std::ranges::find(kLeadOut, number) == kLeadOut.end() && frame < kMostFrames)
      cues.push_back({static_cast<std::int64_t>(frame), "Track " + std::to_string(number)});
    const std::size_t bytes = kTrackBytes + kIndexBytes * std::to_integer<std::size_t>(rest[kIndicesAt]);
    rest = rest.subspan(std::min(bytes, rest.size()));
  }
  return cues;
}

}  // namespace ringwave::io
