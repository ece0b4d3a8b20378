// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "ringwave/io/byte_source.hpp"

namespace ringwave::io {

/// How much of an MPEG audio file is there, by the headers of its frames, and how much there should be.
struct Mp3Extent {
  std::int64_t sample_frames = 0;
  std::optional<std::int64_t> promised_sample_frames = {};  ///< by the tag of Xing, LAME or Fraunhofer
  bool ends_within_a_frame = false;
  bool readable = false;  ///< whether frame followed frame to the end; else nothing is known

  [[nodiscard]] bool is_torn() const noexcept {
    return readable && (ends_within_a_frame || promised_sample_frames.value_or(0) > sample_frames);
  }

  /// Reads through a whole file. Throws as ByteSource::read(). [setup]
  [[nodiscard]] static Mp3Extent read(ByteSource& source);
};

}  // namespace ringwave::io
