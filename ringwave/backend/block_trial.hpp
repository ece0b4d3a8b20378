// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "ringwave/backend/workload.hpp"
#include "ringwave/core/block_view.hpp"

namespace ringwave::backend {

/// A prepared op that turns blocks into blocks, with a block of noise to work on.
template <class Op>
class BlockTrial final : public Trial {
 public:
  BlockTrial(Op op, int channels, int frames)
      : op_(std::move(op)),
        in_(static_cast<std::size_t>(channels) * static_cast<std::size_t>(frames)),
        out_(in_.size()),
        channels_(channels),
        frames_(frames) {
    std::minstd_rand random(1);
    for (float& sample : in_)
      sample = static_cast<float>(random()) / static_cast<float>(std::minstd_rand::max()) - 0.5F;
  }

  Status run() noexcept override {
    return op_.process({in_.data(), channels_, frames_}, {out_.data(), channels_, frames_});
  }

 private:
  Op op_;
  std::vector<float> in_;
  std::vector<float> out_;
  int channels_;
  int frames_;
};

template <class Op>
[[nodiscard]] std::unique_ptr<Trial> make_block_trial(Op op, int channels, int frames) {
  return std::make_unique<BlockTrial<Op>>(std::move(op), channels, frames);
}

}  // namespace ringwave::backend
