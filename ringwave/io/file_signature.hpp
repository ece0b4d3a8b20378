// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ringwave/io/byte_source.hpp"

namespace ringwave::io {

/// What the first bytes of an input say that it is. What is none of the families is given to no decoder: the
/// library behind knows many an old format that nobody sends but to break it.
struct FileSignature {
  enum class Family : unsigned char { wav, w64, aiff, au, caf, flac, ogg, mp3 };

  /// A number of a WAV header that is to be read as if it were another one.
  struct Correction {
    std::int64_t at = 0;
    std::uint32_t value = 0;
  };

  Family family = Family::wav;
  bool length_unknown = false;  ///< a WAV header from a pipe, whose writer never came back to it
  std::int64_t begin = 0;       ///< of FLAC's own first byte, behind an ID3 tag

  /// The sizes of 0 that a recorder left in a WAV file when it was stopped: its samples go on to the end.
  std::vector<Correction> corrections = {};

  /// Leaves the source at its beginning. Throws BadFile for an input that is empty or foreign; Interrupted.
  /// [setup]
  [[nodiscard]] static FileSignature read(ByteSource& source);

  /// Whether a decoder looks at the end of the file first, which a pipe does not have. [any]
  [[nodiscard]] bool begins_at_its_end() const noexcept {
    return family != Family::wav && family != Family::flac;
  }
};

}  // namespace ringwave::io
