// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/core/block_view.hpp"
#include "ringwave/core/queue.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"

namespace ringwave::backend {

/// What both twins of an op that turns one block into another implement. The public op has checked the
/// shapes.
class BlockOp {
 public:
  virtual ~BlockOp() = default;

  /// From host memory to host memory, done on return. [audio]
  RW_REALTIME virtual Status process(BlockView<const float> in, BlockView<float> out) noexcept = 0;

  /// The same in `queue`'s order, between blocks in memory that the queue's device can reach. [audio]
  RW_REALTIME virtual Status enqueue(Queue& queue, BlockView<const float> in,
                                     BlockView<float> out) noexcept = 0;

  /// Forgets the past, before the next process(). [audio]
  RW_REALTIME virtual void reset() noexcept = 0;

  /// Forgets the past, in `queue`'s order. [audio]
  RW_REALTIME virtual Status enqueue_reset(Queue& queue) noexcept = 0;

  /// NaN and infinite samples that came in so far; waits for work in flight. [setup]
  [[nodiscard]] virtual std::uint64_t nonfinite_samples() const = 0;
};

}  // namespace ringwave::backend
