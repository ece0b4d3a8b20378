// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "ringwave/backend/trial_memory.hpp"
#include "ringwave/backend/workload.hpp"
#include "ringwave/core/block_view.hpp"

namespace ringwave::backend {

/// A prepared op that turns blocks into blocks, with a block of noise to work on.
template <class Op>
class BlockTrial final : public Trial {
 public:
  BlockTrial(Op op, int channels, int frames)
      : op_(std::move(op)),
        samples_(static_cast<std::size_t>(channels) * static_cast<std::size_t>(frames)),
        memory_(2 * samples_ + kApart),
        in_{memory_.samples().data(), channels, frames},
        out_{memory_.samples().data() + samples_ + kApart, channels, frames} {
    fill_with_noise(memory_.samples().first(samples_));
  }

  Status run() noexcept override { return op_.process(in_, out_); }

 private:
  /// Between input and output: a store at the same place of a page as a load would make the load wait.
  static constexpr std::size_t kApart = 256;

  Op op_;
  std::size_t samples_;
  TrialMemory memory_;
  BlockView<const float> in_;
  BlockView<float> out_;
};

template <class Op>
[[nodiscard]] std::unique_ptr<Trial> make_block_trial(Op op, int channels, int frames) {
  return std::make_unique<BlockTrial<Op>>(std::move(op), channels, frames);
}

}  // namespace ringwave::backend
