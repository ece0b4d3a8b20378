// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ringwave/io/byte_source.hpp"
#include "ringwave/io/tags/audio_tags.hpp"

namespace ringwave::io {

/// The packets before the sound of an Ogg Vorbis or Opus stream.
struct OggHead {
  enum class Codec : unsigned char { other, vorbis, opus };
  Codec codec = Codec::other;
  std::vector<std::byte> identification;
  std::vector<std::byte> comment;   ///< without the codec's own mark in front of it
  std::int64_t first_granules = 0;  ///< where a stream begins that was joined late; else 0

  /// The head of the first stream; as much of it as is there. Leaves the source at its beginning. Throws as
  /// ByteSource::read(). [setup]
  [[nodiscard]] static OggHead read(ByteSource& source);

  /// How Opus's channels are to be understood: 0 and 1 are loudspeakers, the others not. [any]
  [[nodiscard]] int opus_mapping_family() const noexcept;

  /// The time at that granule position; 0 where the head does not tell. [any]
  [[nodiscard]] double seconds(std::int64_t granules) const noexcept;
};

/// A filter for the bytes of an Ogg Vorbis or Opus file: it puts another comment in the place of the
/// encoder's, and counts the pages anew, as they are other ones then.
class OggCommentFilter {
 public:
  /// `comment` gets the encoder's own and gives what is to stand there. [setup]
  using Comment = std::vector<std::byte> (*)(const void* context, std::span<const std::byte> own);

  OggCommentFilter(Comment comment, const void* context);
  ~OggCommentFilter();
  OggCommentFilter(const OggCommentFilter&) = delete;  // it owns libogg's streams
  OggCommentFilter& operator=(const OggCommentFilter&) = delete;

  /// What may be written by now. [setup]
  [[nodiscard]] std::vector<std::byte> pass(std::span<const std::byte> bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ringwave::io
