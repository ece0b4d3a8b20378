// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "ringwave/core/block_view.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"

namespace ringwave::live {

/// One way from a block in to a block out. LiveProcessor has checked the shape.
class BlockPort {
 public:
  virtual ~BlockPort() = default;

  /// Where process() finds its input: room for the longest block, channel after channel without gaps. [any]
  [[nodiscard]] virtual std::span<float> input() noexcept = 0;

  /// The first `out.frames()` frames of every channel of input() into `out`, which lies in host memory. On
  /// anything but `ok` nothing is promised of `out`. [audio]
  RW_REALTIME virtual Status process(BlockView<float> out) noexcept = 0;

  /// Forgets the past, before the next block. [audio]
  RW_REALTIME virtual Status reset() noexcept = 0;
};

}  // namespace ringwave::live
