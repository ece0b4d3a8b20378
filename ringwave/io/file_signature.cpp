// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/file_signature.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "ringwave/core/error.hpp"

namespace ringwave::io {
namespace {

bool is_known_other(std::string_view head) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(head[i]); };
  const bool is_aiff = head.starts_with("FORM") && (head.substr(8) == "AIFF" || head.substr(8) == "AIFC");
  const bool is_mpeg = head.starts_with("ID3") || (byte(0) == 0xff && (byte(1) & 0xe0U) == 0xe0U);
  return is_aiff || is_mpeg || head.starts_with("OggS") || head.starts_with("riff") ||
         head.starts_with(".snd") || head.starts_with("caff");
}

/// What programs write that stream into a pipe: ffmpeg and ourselves, sox, arecord.
bool is_placeholder(std::uint32_t riff_bytes) {
  return riff_bytes == 0 || riff_bytes == 0xffffffffU ||
         (riff_bytes >= 0x7ffff000U && riff_bytes < 0x80000100U);
}

void require_whole(const ByteSource& source, std::int64_t promised_bytes) {
  if (source.size() && promised_bytes > *source.size())
    throw BadFile(source.name() + " is cut short: its header promises " + std::to_string(promised_bytes) +
                  " bytes and " + std::to_string(*source.size()) + " are there; copy it again");
}

}  // namespace

FileSignature FileSignature::read(ByteSource& source) {
  std::array<char, 12> bytes{};
  const std::size_t count = source.read(std::as_writable_bytes(std::span(bytes)));
  source.seek(0);
  if (count == 0) throw BadFile(source.name() + " is empty: it has not even a header");
  const std::string_view head(bytes.data(), bytes.size());
  const bool is_wave = head.substr(8) == "WAVE";
  if (head.starts_with("RF64") && is_wave) return {.family = Family::wav};
  if (head.starts_with("RIFF") && is_wave) {
    std::uint32_t riff_bytes = 0;
    std::memcpy(&riff_bytes, bytes.data() + 4, sizeof riff_bytes);
    const bool unknown = is_placeholder(riff_bytes);
    if (!unknown) require_whole(source, std::int64_t{riff_bytes} + 8);
    return {.family = Family::wav, .length_unknown = unknown && !source.size()};
  }
  if (head.starts_with("fLaC")) return {.family = Family::flac};
  if (is_known_other(head)) return {};
  throw BadFile(source.name() +
                " is no audio file that Ringwave knows; it reads WAV, AIFF, AU, CAF, FLAC, Ogg and MP3");
}

}  // namespace ringwave::io
