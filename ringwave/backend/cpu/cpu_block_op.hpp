// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/backend/block_op.hpp"
#include "ringwave/core/queue.hpp"
#include "ringwave/core/status.hpp"

namespace ringwave::backend::cpu {

/// The part of a CPU twin that all share: process() and reset() as tasks of a queue, and counting what is not
/// finite. `Base` is the op's twin interface.
template <class Base>
class CpuBlockOp : public Base {
 public:
  using Base::Base;

  Status enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept override {
    return queue.try_submit([this, in, out](NativeQueue) noexcept { (void)this->process(in, out); });
  }

  Status enqueue_reset(Queue& queue) noexcept override {
    return queue.try_submit([this](NativeQueue) noexcept { this->reset(); });
  }

  [[nodiscard]] std::uint64_t nonfinite_samples() const override {
    return nonfinite_.load(std::memory_order_relaxed);
  }

 protected:
  /// Adds what a block held. A twin counts where it reads the samples anyway. [audio]
  void count(std::uint64_t nonfinite) noexcept {
    if (nonfinite != 0) nonfinite_.fetch_add(nonfinite, std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint64_t> nonfinite_{0};
};

}  // namespace ringwave::backend::cpu
