// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bench/noise.hpp"
#include "ringwave/core/block_view.hpp"
#include "ringwave/core/status.hpp"

namespace ringwave::bench {

/// Channels and frames of a block.
struct Shape {
  int channels = 1;
  int frames = 128;

  [[nodiscard]] std::size_t samples() const noexcept {
    return static_cast<std::size_t>(channels) * static_cast<std::size_t>(frames);
  }
  [[nodiscard]] std::string name() const {
    return std::to_string(channels) + "ch-" + std::to_string(frames) + "f";
  }
};

/// An op that turns blocks into blocks, with several blocks of noise that take turns, host memory to host
/// memory: what a real-time caller does.
template <class Op>
class BlockRun {
 public:
  static constexpr std::size_t kSets = 4;

  BlockRun(Op op, Shape shape)
      : op_(std::move(op)),
        shape_(shape),
        in_(make_noise_sets(kSets, shape.samples())),
        out_(shape.samples()) {}

  /// One block. [any]
  void process(std::size_t round) noexcept {
    last_ = round % kSets;
    const Status status = op_.process(input(), {out_.data(), shape_.channels, shape_.frames});
    if (status != Status::ok) status_ = status;
  }

  [[nodiscard]] Op& op() noexcept { return op_; }
  [[nodiscard]] BlockView<const float> input() const noexcept {
    return {in_[last_].data(), shape_.channels, shape_.frames};
  }
  [[nodiscard]] BlockView<const float> output() const noexcept {
    return {out_.data(), shape_.channels, shape_.frames};
  }

  /// The last answer that was not ok, or ok. [any]
  [[nodiscard]] Status status() const noexcept { return status_; }

 private:
  Op op_;
  Shape shape_;
  std::vector<std::vector<float>> in_;
  std::vector<float> out_;
  std::size_t last_ = 0;
  Status status_ = Status::ok;
};

}  // namespace ringwave::bench
