// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ringwave/io/channel_layout.hpp"

namespace ringwave::io {

/// What a WAV file says of itself.
struct WavHeader {
  int channels = 1;
  int sample_rate_hz = 48000;
  int bits = 16;                            ///< of a sample; 32 means float
  std::optional<std::int64_t> frames = {};  ///< nothing where nobody knows yet, as in a pipe
  Speakers speakers = 0;                    ///< said for more than two channels; 0: not known
  std::vector<std::byte> chunks = {};       ///< whole chunks of other kinds, before the samples
  bool may_grow = false;                    ///< whether `frames` may become more than 4 GiB later

  [[nodiscard]] std::int64_t frame_bytes() const noexcept { return std::int64_t{channels} * bits / 8; }

  /// Whether the sizes of RF64 (EBU Tech 3306) are needed. [any]
  [[nodiscard]] bool is_large() const noexcept;

  /// The bytes before the samples: where it may grow as many whatever `frames` is, so that they can be
  /// written again at the end.
  ///
  /// From 4 GiB on the file is RF64, whose sizes come before everything else. What may grow keeps room for
  /// them in a JUNK chunk just before the samples: programs that want `fmt ` first find it there. Where the
  /// length is not known, or too large for what has no room, both sizes are 2^32 - 1, as others write into a
  /// pipe. [setup]
  [[nodiscard]] std::vector<std::byte> bytes() const;

 private:
  [[nodiscard]] std::int64_t bytes_before_samples() const noexcept;
};

}  // namespace ringwave::io
