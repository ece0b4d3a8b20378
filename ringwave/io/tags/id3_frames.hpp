// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ringwave/io/byte_source.hpp"

namespace ringwave::io {

/// One frame of an ID3v2 tag, as it is without unsynchronisation.
struct Id3Frame {
  std::string id;  ///< three letters in version 2, four later
  std::vector<std::byte> data;
};

/// The frames of an ID3v2 tag of version 2.2, 2.3 or 2.4.
struct Id3Frames {
  int version = 0;  ///< 2, 3 or 4; 0 where there is no tag
  std::vector<Id3Frame> frames;
  int unread = 0;  ///< compressed and encrypted frames, which are left out

  /// Reads a whole tag, its header included, as far as it makes sense. [setup]
  [[nodiscard]] static Id3Frames read(std::span<const std::byte> tag);

  /// The same, for frames without a tag's header: what lies within a CHAP frame. [setup]
  [[nodiscard]] static Id3Frames read_embedded(std::span<const std::byte> frames, int version);

  /// A tag of these frames in their plainest form: no flags, no padding, sizes that have one reading. [setup]
  [[nodiscard]] std::vector<std::byte> plain_tag() const;
};

/// Bytes of the ID3v2 tag that begins with `head`, its header included; 0 where it is none. [any]
[[nodiscard]] std::int64_t id3_tag_bytes(std::span<const std::byte> head) noexcept;

/// The tag at the beginning of the source, and ID3v1's 128 bytes at its end, each empty where it is not
/// there, and the first where it is larger than kMostTagBytes. Leaves the source at its beginning. Throws as
/// ByteSource::read(). [setup]
struct Id3Blocks {
  std::vector<std::byte> v2;
  std::vector<std::byte> v1;
  bool too_large = false;
  [[nodiscard]] static Id3Blocks read(ByteSource& source);
};

}  // namespace ringwave::io
