// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/block_front.hpp"

#include "ringwave/backend/block_check.hpp"
#include "ringwave/core/trace.hpp"

namespace ringwave::backend {

BlockFront::BlockFront(const char* name, int channels, int max_block_frames)
    : name_(name), channels_(channels), max_block_frames_(max_block_frames) {
  require_shape(name, channels, max_block_frames);
}

Status BlockFront::process(BlockView<const float> in, BlockView<float> out) noexcept {
  const trace::Span span(name_);
  Status status = check_shape(in, out, channels_, max_block_frames_);
  if (status == Status::ok && in.frames() > 0) status = twin_->process(in, out);
  if (status != Status::ok) silence(out);
  return status;
}

Status BlockFront::enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept {
  const Status status = check_shape(in, out, channels_, max_block_frames_);
  return status == Status::ok && in.frames() > 0 ? twin_->enqueue(queue, in, out) : status;
}

}  // namespace ringwave::backend
