// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/wav_header.hpp"

#include <limits>
#include <string_view>

#include "ringwave/io/little_endian.hpp"

namespace ringwave::io {
namespace {

constexpr std::uint32_t kUnknownSize = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kSizesBytes = 28;
constexpr std::uint16_t kPcmTag = 1;
constexpr std::uint16_t kFloatTag = 3;
constexpr std::uint16_t kExtensibleTag = 0xfffe;

/// The end of every sub-format's GUID, after the format's tag.
constexpr std::string_view kGuidEnd{"\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71", 14};

/// More than two channels need the extensible form by Microsoft's rule; every reader knows the plain one.
void write_format(LittleEndian& out, const WavHeader& header) {
  const std::uint16_t tag = header.bits == 32 ? kFloatTag : kPcmTag;
  const bool extensible = header.channels > 2;
  const auto bits = static_cast<std::uint16_t>(header.bits);
  out.text("fmt ");
  out.integer<std::uint32_t>(extensible ? 40 : 16);
  out.integer<std::uint16_t>(extensible ? kExtensibleTag : tag);
  out.integer(static_cast<std::uint16_t>(header.channels));
  out.integer(static_cast<std::uint32_t>(header.sample_rate_hz));
  out.integer(static_cast<std::uint32_t>(header.sample_rate_hz * header.frame_bytes()));
  out.integer(static_cast<std::uint16_t>(header.frame_bytes()));
  out.integer(bits);
  if (!extensible) return;
  out.integer<std::uint16_t>(22);
  out.integer(bits);
  out.integer(header.speakers);
  out.integer(tag);
  out.text(kGuidEnd);
}

void write_fact(LittleEndian& out, std::uint32_t frames) {
  out.text("fact");
  out.integer<std::uint32_t>(4);
  out.integer(frames);
}

/// The chunk of RF64's sizes, or the room for it.
void write_sizes(LittleEndian& out, std::string_view id, std::int64_t riff_bytes, std::int64_t data_bytes,
                 std::int64_t frames) {
  out.text(id);
  out.integer(kSizesBytes);
  out.integer(static_cast<std::uint64_t>(riff_bytes));
  out.integer(static_cast<std::uint64_t>(data_bytes));
  out.integer(static_cast<std::uint64_t>(frames));
  out.integer<std::uint32_t>(0);  // no table of further sizes
}

}  // namespace

std::int64_t WavHeader::bytes_before_samples() const noexcept {
  const std::int64_t format_bytes = 8 + (channels > 2 ? 40 : 16) + (bits == 32 ? 12 : 0);
  const auto chunk_bytes = static_cast<std::int64_t>(chunks.size());
  return 12 + format_bytes + chunk_bytes + (may_grow ? 8 + std::int64_t{kSizesBytes} : 0) + 8;
}

bool WavHeader::is_large() const noexcept {
  const std::int64_t data_bytes = frames.value_or(0) * frame_bytes();
  return bytes_before_samples() - 8 + data_bytes + data_bytes % 2 >= kUnknownSize;
}

std::vector<std::byte> WavHeader::bytes() const {
  const std::int64_t data_bytes = frames.value_or(0) * frame_bytes();
  const std::int64_t riff_bytes = bytes_before_samples() - 8 + data_bytes + data_bytes % 2;
  const bool is_rf64 = may_grow && is_large();
  const bool known = frames && !is_large();

  LittleEndian out;
  out.text(is_rf64 ? "RF64" : "RIFF");
  out.integer(known ? static_cast<std::uint32_t>(riff_bytes) : kUnknownSize);
  out.text("WAVE");
  if (is_rf64) write_sizes(out, "ds64", riff_bytes, data_bytes, *frames);
  write_format(out, *this);
  if (bits == 32) write_fact(out, known ? static_cast<std::uint32_t>(*frames) : kUnknownSize);
  out.bytes(chunks);
  if (may_grow && !is_rf64) write_sizes(out, "JUNK", 0, 0, 0);
  out.text("data");
  out.integer(known ? static_cast<std::uint32_t>(data_bytes) : kUnknownSize);
  return out.get();
}

}  // namespace ringwave::io
