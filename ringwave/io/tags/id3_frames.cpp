// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/tags/id3_frames.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "ringwave/io/tags/audio_tags.hpp"

namespace ringwave::io {
namespace {

constexpr std::size_t kHeaderBytes = 10;
constexpr std::size_t kId3v1Bytes = 128;
constexpr unsigned kUnsynchronised = 0x80;
constexpr unsigned kExtended = 0x40;
constexpr unsigned kHasFooter = 0x10;

using Bytes = std::span<const std::byte>;

unsigned at(Bytes bytes, std::size_t i) {
  return std::to_integer<unsigned>(bytes[i]);
}

/// A number of `count` bytes of which each holds `bits` bits.
std::size_t number(Bytes bytes, std::size_t begin, std::size_t count, unsigned bits) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value = value << bits | (at(bytes, begin + i) & ((1U << bits) - 1));
  return value;
}

bool is_text(Bytes bytes, std::string_view text) {
  return bytes.size() >= text.size() &&
         std::ranges::equal(bytes.first(text.size()), text, {},
                            [](std::byte b) { return static_cast<char>(std::to_integer<unsigned char>(b)); });
}

/// Takes out the zero that was put after every 0xff.
std::vector<std::byte> synchronised(Bytes bytes) {
  std::vector<std::byte> out;
  out.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    out.push_back(bytes[i]);
    if (at(bytes, i) == 0xff && i + 1 < bytes.size() && at(bytes, i + 1) == 0) ++i;
  }
  return out;
}

bool is_frame_id(Bytes id) {
  return std::ranges::all_of(id, [](std::byte b) {
    const auto c = std::to_integer<unsigned char>(b);
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

/// What a version's frames begin with.
struct FrameHead {
  std::size_t id_bytes, size_bytes, flag_bytes;
  [[nodiscard]] std::size_t bytes() const { return id_bytes + size_bytes + flag_bytes; }
};

FrameHead head_of(int version) {
  return version == 2 ? FrameHead{3, 3, 0} : FrameHead{4, 4, 2};
}

/// Some programs write the sizes of version 4 as those of version 3: what is followed by a frame is right.
std::size_t frame_size(Bytes rest, int version) {
  const FrameHead head = head_of(version);
  const std::size_t plain = number(rest, head.id_bytes, head.size_bytes, 8);
  if (version != 4) return plain;
  const std::size_t size = number(rest, 4, 4, 7);
  const auto ends_well = [&](std::size_t bytes) {
    const std::size_t next = kHeaderBytes + bytes;
    if (next > rest.size()) return false;
    return next + 4 > rest.size() || at(rest, next) == 0 || is_frame_id(rest.subspan(next, 4));
  };
  return !ends_well(size) && ends_well(plain) ? plain : size;
}

/// The data of a frame without what its flags put before it; nothing where it is compressed or encrypted.
std::optional<std::vector<std::byte>> plain_data(Bytes data, int version, unsigned flags) {
  const bool v4 = version == 4;
  if ((flags & (v4 ? 0x0cU : 0xc0U)) != 0) return std::nullopt;
  std::size_t before = (flags & (v4 ? 0x40U : 0x20U)) != 0 ? 1 : 0;  // the group that it is of
  if (v4 && (flags & 0x01U) != 0) before += 4;                       // its length, once more
  data = data.subspan(std::min(before, data.size()));
  return v4 && (flags & 0x02U) != 0 ? synchronised(data) : std::vector(data.begin(), data.end());
}

std::size_t extended_header_bytes(Bytes body, int version) {
  if (body.size() < 4) return body.size();
  const std::size_t bytes = version == 4 ? number(body, 0, 4, 7) : number(body, 0, 4, 8) + 4;
  return std::min(bytes, body.size());
}

}  // namespace

Id3Frames Id3Frames::read(std::span<const std::byte> tag) {
  if (id3_tag_bytes(tag) == 0) return {};
  const int version = static_cast<int>(at(tag, 3));
  const unsigned flags = at(tag, 5);
  const std::size_t size = std::min(number(tag, 6, 4, 7), tag.size() - kHeaderBytes);
  const Bytes stored = tag.subspan(kHeaderBytes, size);
  if (version == 2 && (flags & kExtended) != 0)
    return {.version = 2, .frames = {}, .unread = 1};  // compressed
  const bool whole = version < 4 && (flags & kUnsynchronised) != 0;
  const std::vector<std::byte> body =
      whole ? synchronised(stored) : std::vector(stored.begin(), stored.end());
  const std::size_t begin =
      version > 2 && (flags & kExtended) != 0 ? extended_header_bytes(body, version) : 0;
  return read_embedded(Bytes(body).subspan(begin), version);
}

Id3Frames Id3Frames::read_embedded(std::span<const std::byte> rest, int version) {
  Id3Frames found{.version = version, .frames = {}};
  const FrameHead head = head_of(version);
  while (rest.size() >= head.bytes() && is_frame_id(rest.first(head.id_bytes))) {
    const std::size_t size = frame_size(rest, version);
    if (size > rest.size() - head.bytes()) break;
    std::string id;
    for (const std::byte b : rest.first(head.id_bytes))
      id += static_cast<char>(std::to_integer<unsigned char>(b));
    auto data = plain_data(rest.subspan(head.bytes(), size), version, head.flag_bytes > 0 ? at(rest, 9) : 0);
    if (data)
      found.frames.push_back({std::move(id), std::move(*data)});
    else
      ++found.unread;
    rest = rest.subspan(head.bytes() + size);
  }
  return found;
}

std::vector<std::byte> Id3Frames::plain_tag() const {
  const int written = version == 2 ? 2 : 3;  // whose sizes are plain numbers
  const FrameHead head = head_of(written);
  std::vector<std::byte> tag{std::byte{'I'}, std::byte{'D'}, std::byte{'3'}, static_cast<std::byte>(written)};
  tag.resize(kHeaderBytes);
  for (const Id3Frame& frame : frames) {
    for (const char c : frame.id) tag.push_back(static_cast<std::byte>(c));
    for (std::size_t i = head.size_bytes; i-- > 0;)
      tag.push_back(static_cast<std::byte>(frame.data.size() >> (8 * i) & 0xffU));
    tag.resize(tag.size() + head.flag_bytes);
    tag.insert(tag.end(), frame.data.begin(), frame.data.end());
  }
  const std::size_t size = tag.size() - kHeaderBytes;
  for (std::size_t i = 0; i < 4; ++i) tag[6 + i] = static_cast<std::byte>(size >> (7 * (3 - i)) & 0x7fU);
  return tag;
}

std::int64_t id3_tag_bytes(std::span<const std::byte> head) noexcept {
  if (head.size() < kHeaderBytes || !is_text(head, "ID3") || at(head, 3) < 2 || at(head, 3) > 4) return 0;
  const bool footer = at(head, 3) == 4 && (at(head, 5) & kHasFooter) != 0;
  return static_cast<std::int64_t>(kHeaderBytes + number(head, 6, 4, 7) + (footer ? kHeaderBytes : 0));
}

Id3Blocks Id3Blocks::read(ByteSource& source) {
  Id3Blocks blocks;
  std::array<std::byte, kHeaderBytes> head{};
  source.seek(0);
  const std::size_t count = source.read(head);
  const std::int64_t bytes = id3_tag_bytes(Bytes(head).first(count));
  source.seek(0);
  blocks.too_large = bytes > static_cast<std::int64_t>(kMostTagBytes);
  if (bytes > 0 && !blocks.too_large && bytes <= source.size().value_or(0)) {
    blocks.v2.resize(static_cast<std::size_t>(bytes));
    blocks.v2.resize(source.read(blocks.v2));
  }
  if (source.size().value_or(0) >= static_cast<std::int64_t>(kId3v1Bytes) &&
      source.seek(*source.size() - static_cast<std::int64_t>(kId3v1Bytes))) {
    blocks.v1.resize(kId3v1Bytes);
    blocks.v1.resize(source.read(blocks.v1));
    if (!is_text(blocks.v1, "TAG")) blocks.v1.clear();
  }
  source.seek(0);
  return blocks;
}

}  // namespace ringwave::io
