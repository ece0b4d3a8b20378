// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/file_signature.hpp"

#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ringwave/core/error.hpp"
#include "ringwave/io/tags/id3_frames.hpp"

namespace ringwave::io {
namespace {

using Family = FileSignature::Family;

constexpr std::uint32_t kToTheEnd = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kRiffHeadBytes = 12;
constexpr std::int64_t kChunkHeadBytes = 8;

/// Up to 12 bytes from `position` on; what is not there is 0.
std::string bytes_at(ByteSource& source, std::int64_t position) {
  std::array<char, 12> bytes{};
  if (source.seek(position)) (void)source.read(std::as_writable_bytes(std::span(bytes)));
  return {bytes.begin(), bytes.end()};
}

std::uint32_t number_in(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::optional<Family> family_of(std::string_view head) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(head[i]); };
  const std::string_view kind = head.substr(8);
  if ((head.starts_with("RIFF") || head.starts_with("RF64")) && kind == "WAVE") return Family::wav;
  if (head.starts_with("FORM") && (kind == "AIFF" || kind == "AIFC")) return Family::aiff;
  if (head.starts_with("fLaC")) return Family::flac;
  if (head.starts_with("OggS")) return Family::ogg;
  if (head.starts_with("riff")) return Family::w64;
  if (head.starts_with(".snd")) return Family::au;
  if (head.starts_with("caff")) return Family::caf;
  if (head.starts_with("ID3") || (byte(0) == 0xff && (byte(1) & 0xe0U) == 0xe0U)) return Family::mp3;
  return std::nullopt;
}

/// What programs write that stream into a pipe: ffmpeg and ourselves, sox, arecord.
bool is_placeholder(std::uint32_t riff_bytes) {
  return riff_bytes == 0 || riff_bytes == kToTheEnd ||
         (riff_bytes >= 0x7ffff000U && riff_bytes < 0x80000100U);
}

/// Where the chunk of the samples begins; nothing where it is not found.
std::optional<std::int64_t> data_chunk(ByteSource& source) {
  constexpr int kMostChunks = 1000;
  std::int64_t position = kRiffHeadBytes;
  for (int i = 0; i < kMostChunks; ++i) {
    const std::string head = bytes_at(source, position);
    if (head.starts_with("data")) return position;
    if (head[0] == 0) break;
    const std::int64_t bytes = number_in(head, 4);
    position += kChunkHeadBytes + bytes + bytes % 2;
  }
  return std::nullopt;
}

/// A size of 0 is true where the header as a whole counts more than itself.
void correct_sizes(ByteSource& source, std::uint32_t riff_bytes, FileSignature& signature) {
  const auto data = data_chunk(source);
  if (!data || number_in(bytes_at(source, *data), 4) != 0) return;
  const bool counts_more = std::int64_t{riff_bytes} + kChunkHeadBytes > *data + kChunkHeadBytes;
  if (counts_more && !is_placeholder(riff_bytes)) return;
  signature.corrections = {{4, kToTheEnd}, {*data + 4, kToTheEnd}};
}

}  // namespace

FileSignature FileSignature::read(ByteSource& source) {
  std::array<char, 12> bytes{};
  const std::size_t count = source.read(std::as_writable_bytes(std::span(bytes)));
  source.seek(0);
  if (count == 0) throw BadFile(source.name() + " is empty: it has not even a header");
  const std::string_view head(bytes.data(), bytes.size());
  const auto family = family_of(head);
  if (!family)
    throw BadFile(source.name() +
                  " is no audio file that Ringwave knows; it reads WAV, AIFF, AU, CAF, FLAC, Ogg and MP3");
  FileSignature signature{.family = *family};
  if (family == Family::wav && head.starts_with("RIFF")) {
    const std::uint32_t riff_bytes = number_in(head, 4);
    correct_sizes(source, riff_bytes, signature);
    const bool unknown = is_placeholder(riff_bytes) || !signature.corrections.empty();
    signature.length_unknown = unknown && !source.size();
  }
  const std::int64_t id3_bytes = id3_tag_bytes(std::as_bytes(std::span(bytes)));
  if (id3_bytes > 0 && bytes_at(source, id3_bytes).starts_with("fLaC")) {
    signature.family = Family::flac;
    signature.begin = id3_bytes;
  }
  source.seek(0);
  return signature;
}

}  // namespace ringwave::io
