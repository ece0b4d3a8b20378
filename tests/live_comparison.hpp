// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "ringwave/core/block_view.hpp"
#include "ringwave/core/status.hpp"
#include "tests/accuracy.hpp"
#include "tests/noise.hpp"

namespace ringwave {

/// A stream of noise through a live processor and through the op whose samples it is to have, in the same
/// blocks.
class LiveComparison {
 public:
  explicit LiveComparison(int channels) : channels_(channels) {}

  /// Another block through both. [setup]
  template <class Live, class Op>
  void play(Live& live, Op& truth, int frames) {
    const auto samples = static_cast<std::size_t>(channels_) * static_cast<std::size_t>(frames);
    const std::vector<float> in = noise(samples, ++seed_);
    std::vector<float> found(samples);
    std::vector<float> right(samples);
    const BlockView<const float> block(in.data(), channels_, frames);
    ASSERT_EQ(live.process(block, {found.data(), channels_, frames}), Status::ok);
    ASSERT_EQ(truth.process(block, {right.data(), channels_, frames}), Status::ok);
    found_.insert(found_.end(), found.begin(), found.end());
    right_.insert(right_.end(), right.begin(), right.end());
  }

  /// How well they agree, over all blocks. [setup]
  [[nodiscard]] double agreement_db() const { return accuracy_db(found_, right_); }

 private:
  int channels_;
  unsigned seed_ = 0;
  std::vector<float> found_;
  std::vector<float> right_;
};

}  // namespace ringwave
