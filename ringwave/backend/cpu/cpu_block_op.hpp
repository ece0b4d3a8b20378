// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/backend/block_op.hpp"

namespace ringwave::backend::cpu {

/// The part of a CPU twin that all share: counting what is not finite. `Base` is the op's twin interface.
template <class Base>
class CpuBlockOp : public Base {
 public:
  using Base::Base;

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
