// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ringwave::io {

/// What a WAV file says of itself.
struct WavHeader {
  int channels = 1;
  int sample_rate_hz = 48000;
  int bits = 16;                            ///< of a sample; 32 means float
  std::optional<std::int64_t> frames = {};  ///< nothing where nobody knows yet, as in a pipe

  [[nodiscard]] std::int64_t frame_bytes() const noexcept { return std::int64_t{channels} * bits / 8; }

  /// The bytes before the samples: as many whatever `frames` is, so that they can be written again at the
  /// end.
  ///
  /// Room for RF64's sizes is kept by a JUNK chunk (EBU Tech 3306); from 4 GiB on the file is RF64. Where the
  /// length is not known, both sizes are 2^32 - 1, as others write into a pipe. [setup]
  [[nodiscard]] std::vector<std::byte> bytes() const;
};

}  // namespace ringwave::io
