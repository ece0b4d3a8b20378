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
  void count(BlockView<const float> in) noexcept {
    std::uint64_t found = 0;
    for (int channel = 0; channel < in.channels(); ++channel) found += count_nonfinite(in.channel(channel));
    if (found != 0) nonfinite_.fetch_add(found, std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint64_t> nonfinite_{0};
};

}  // namespace ringwave::backend::cpu
