// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/tags/wav_chunks.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>

#include "ringwave/io/little_endian.hpp"
#include "ringwave/io/tags/tag_blocks.hpp"

namespace ringwave::io {
namespace {

std::uint32_t limited(std::int64_t frame) {
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(frame, 0, std::numeric_limits<std::uint32_t>::max()));
}

void add_chunk(LittleEndian& to, std::string_view id, std::span<const std::byte> bytes) {
  to.text(id);
  to.integer(static_cast<std::uint32_t>(bytes.size()));
  to.bytes(bytes);
  if (bytes.size() % 2 != 0) to.integer<std::uint8_t>(0);
}

void add_list(LittleEndian& to, std::string_view kind, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  LittleEndian list;
  list.text(kind);
  list.bytes(bytes);
  add_chunk(to, "LIST", list.get());
}

void add_cues(LittleEndian& to, const std::vector<AudioTags::Cue>& cues) {
  if (cues.empty()) return;
  LittleEndian points;
  LittleEndian labels;
  points.integer(static_cast<std::uint32_t>(cues.size()));
  for (std::uint32_t id = 1; const AudioTags::Cue& cue : cues) {
    points.integer(id);
    points.integer(limited(cue.frame));  // its place in a play list, of which there is none
    points.text("data");
    points.integer<std::uint64_t>(0);  // where the chunk and the block begin
    points.integer(limited(cue.frame));
    LittleEndian label;
    label.integer(id++);
    label.text(cue.label);
    label.integer<std::uint8_t>(0);
    if (!cue.label.empty()) add_chunk(labels, "labl", label.get());
  }
  add_chunk(to, "cue ", points.get());
  add_list(to, "adtl", labels.get());
}

void add_loops(LittleEndian& to, const AudioTags& tags, int sample_rate_hz) {
  if (tags.loops.empty()) return;
  LittleEndian sampler;
  sampler.integer<std::uint64_t>(0);  // who made the sampler, and which
  sampler.integer(static_cast<std::uint32_t>((1'000'000'000 + sample_rate_hz / 2) / sample_rate_hz));
  sampler.integer(static_cast<std::uint32_t>(tags.root_note));
  sampler.integer<std::uint32_t>(0);  // by how much it is above that note
  sampler.integer<std::uint64_t>(0);  // no SMPTE time
  sampler.integer(static_cast<std::uint32_t>(tags.loops.size()));
  sampler.integer<std::uint32_t>(0);  // no bytes of the sampler's own
  for (std::uint32_t id = 0; const AudioTags::Loop& loop : tags.loops) {
    sampler.integer(id++);
    sampler.integer(static_cast<std::uint32_t>(loop.way));
    sampler.integer(loop.begin);
    sampler.integer(loop.last);
    sampler.integer<std::uint32_t>(0);  // no fraction of a frame
    sampler.integer(loop.times);
  }
  add_chunk(to, "smpl", sampler.get());
}

}  // namespace

std::vector<std::byte> wav_chunks(const AudioTags& tags, int sample_rate_hz) {
  LittleEndian chunks;
  if (!tags.broadcast.empty()) add_chunk(chunks, "bext", tags.broadcast);
  add_list(chunks, "INFO", riff_info(tags));
  if (!fits_riff_info(tags)) {
    AudioTags without_cues = tags;
    without_cues.cues.clear();  // which have a chunk of their own, to the frame
    add_chunk(chunks, "id3 ", id3_tag(without_cues, sample_rate_hz));
  }
  add_cues(chunks, tags.cues);
  add_loops(chunks, tags, sample_rate_hz);
  return chunks.get();
}

}  // namespace ringwave::io
