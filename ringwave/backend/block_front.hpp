// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "ringwave/backend/block_op.hpp"
#include "ringwave/backend/prepare.hpp"
#include "ringwave/core/block_view.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/queue.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"

namespace ringwave::backend {

/// The public half of an op that turns blocks into blocks of the same shape: it checks shapes, answers faults
/// with silence and has the twin. An op derives from it, checks its own settings and calls prepare().
class BlockFront {
 public:
  /// `in` through the op into `out`, both in host memory; they may be the same. On anything but `ok` the
  /// output is silence. [audio]
  RW_REALTIME Status process(BlockView<const float> in, BlockView<float> out) noexcept;

  /// The same in the order of `queue`, which is on this op's device, between blocks in that device's memory
  /// or in pinned host memory. Do not mix with process(), and change no setting, without waiting for the
  /// queue; capture again after a change. [audio]
  RW_REALTIME Status enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept;

  /// Forgets the past of every channel, keeps the settings. [audio]
  RW_REALTIME void reset() noexcept { twin_->reset(); }

  /// The same in the order of `queue`. [audio]
  RW_REALTIME Status enqueue_reset(Queue& queue) noexcept { return twin_->enqueue_reset(queue); }

  /// NaN and infinite samples that came in so far; waits for work in flight. [setup]
  [[nodiscard]] std::uint64_t nonfinite_samples() const { return twin_->nonfinite_samples(); }

  /// Where it runs; never `auto`. [any]
  [[nodiscard]] Device device() const noexcept { return device_; }

 protected:
  /// Throws InvalidArgument for a shape out of range. `name` outlives the op: its kName. [setup]
  BlockFront(const char* name, int channels, int max_block_frames);
  ~BlockFront() = default;
  BlockFront(BlockFront&&) noexcept = default;
  BlockFront& operator=(BlockFront&&) noexcept = default;

  /// Makes the twin, where the router says or the caller did. Throws what backend::prepare() does. [setup]
  template <class Op>
  void prepare(Device device, const typename Op::Request& request) {
    auto prepared = backend::prepare<Op>(device, {name_, max_block_frames_, channels_}, request);
    device_ = prepared.device;
    twin_ = std::move(prepared.twin);
  }

  /// The twin as what prepare<Op>() made. [any]
  template <class Twin>
  [[nodiscard]] Twin& twin() const noexcept {
    return static_cast<Twin&>(*twin_);
  }

 private:
  const char* name_;
  int channels_;
  int max_block_frames_;
  Device device_;
  std::unique_ptr<BlockOp> twin_;
};

}  // namespace ringwave::backend
