// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/io/byte_source.hpp"

namespace ringwave::io {

/// What the first bytes of an input say that it is. What is none of the families is given to no decoder: the
/// library behind knows many an old format that nobody sends but to break it.
struct FileSignature {
  enum class Family : unsigned char { wav, flac, other };
  Family family = Family::other;
  bool length_unknown = false;  ///< a WAV header from a pipe, whose writer never came back to it

  /// Leaves the source at its beginning. Throws BadFile for an input that is empty, foreign, or shorter than
  /// its header says; Interrupted. [setup]
  [[nodiscard]] static FileSignature read(ByteSource& source);

  /// Whether a decoder looks at the end of the file first, which a pipe does not have. [any]
  [[nodiscard]] bool begins_at_its_end() const noexcept { return family == Family::other; }
};

}  // namespace ringwave::io
