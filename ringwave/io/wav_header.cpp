// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/wav_header.hpp"

#include <limits>
#include <string_view>

namespace ringwave::io {
namespace {

constexpr std::uint32_t kUnknownSize = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint16_t kPcmTag = 1;
constexpr std::uint16_t kFloatTag = 3;
constexpr std::uint16_t kExtensibleTag = 0xfffe;

/// The end of every sub-format's GUID, after the format's tag.
constexpr std::string_view kGuidEnd{"\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71", 14};

/// Little-endian bytes, appended.
class Bytes {
 public:
  void text(std::string_view text) {
    for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
  }
  template <class Integer>
  void integer(Integer value) {
    for (std::size_t i = 0; i < sizeof value; ++i)
      bytes_.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xffU));
  }
  [[nodiscard]] std::vector<std::byte>& get() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// More than two channels need the extensible form by Microsoft's rule; every reader knows the plain one.
void write_format(Bytes& out, const WavHeader& header) {
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
  out.integer<std::uint32_t>(0);  // which loudspeaker a channel belongs to is not known
  out.integer(tag);
  out.text(kGuidEnd);
}

void write_fact(Bytes& out, std::uint32_t frames) {
  out.text("fact");
  out.integer<std::uint32_t>(4);
  out.integer(frames);
}

}  // namespace

std::vector<std::byte> WavHeader::bytes() const {
  constexpr std::uint32_t kSizesBytes = 28;
  const std::uint32_t format_bytes = 8U + (channels > 2 ? 40U : 16U) + (bits == 32 ? 12U : 0U);
  const std::uint32_t head_bytes = 12 + 8 + kSizesBytes + format_bytes + 8;
  const std::int64_t data_bytes = frames.value_or(0) * frame_bytes();
  const std::int64_t riff_bytes = head_bytes - 8 + data_bytes + data_bytes % 2;
  const bool large = riff_bytes >= kUnknownSize;
  const bool known = frames && !large;

  Bytes out;
  out.text(large ? "RF64" : "RIFF");
  out.integer(known ? static_cast<std::uint32_t>(riff_bytes) : kUnknownSize);
  out.text("WAVE");
  out.text(large ? "ds64" : "JUNK");
  out.integer(kSizesBytes);
  out.integer(large ? static_cast<std::uint64_t>(riff_bytes) : std::uint64_t{0});
  out.integer(large ? static_cast<std::uint64_t>(data_bytes) : std::uint64_t{0});
  out.integer(large ? static_cast<std::uint64_t>(*frames) : std::uint64_t{0});
  out.integer<std::uint32_t>(0);  // no table of further sizes
  write_format(out, *this);
  if (bits == 32) write_fact(out, known ? static_cast<std::uint32_t>(*frames) : kUnknownSize);
  out.text("data");
  out.integer(known ? static_cast<std::uint32_t>(data_bytes) : kUnknownSize);
  return out.get();
}

}  // namespace ringwave::io
