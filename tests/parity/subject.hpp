// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ringwave/core/block_view.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/queue.hpp"
#include "ringwave/core/status.hpp"

namespace ringwave::parity {

struct Shape {
  int channels = 1;
  int max_block_frames = 4096;
};

/// A prepared op of the family that turns blocks into blocks, whatever its type.
class Instance {
 public:
  virtual ~Instance() = default;
  virtual Status process(BlockView<const float> in, BlockView<float> out) = 0;
  virtual Status enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) = 0;
  virtual void reset() = 0;
  virtual Status enqueue_reset(Queue& queue) = 0;
  [[nodiscard]] virtual std::uint64_t nonfinite_samples() const = 0;
};

template <class Op>
class InstanceOf final : public Instance {
 public:
  explicit InstanceOf(Op op) : op_(std::move(op)) {}
  Status process(BlockView<const float> in, BlockView<float> out) override { return op_.process(in, out); }
  Status enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) override {
    return op_.enqueue(queue, in, out);
  }
  void reset() override { op_.reset(); }
  Status enqueue_reset(Queue& queue) override { return op_.enqueue_reset(queue); }
  [[nodiscard]] std::uint64_t nonfinite_samples() const override { return op_.nonfinite_samples(); }

 private:
  Op op_;
};

template <class Op>
[[nodiscard]] std::unique_ptr<Instance> instance_of(Op op) {
  return std::make_unique<InstanceOf<Op>>(std::move(op));
}

/// One op with one setting: how it is made, and what one channel of it should sound like from a fresh start.
struct Subject {
  std::string name;
  std::function<std::unique_ptr<Instance>(Device device, Shape shape)> make;
  std::function<std::vector<double>(std::span<const float> in)> oracle;
};

/// The table that an op joins, in subjects.cpp.
[[nodiscard]] const std::vector<Subject>& subjects();

}  // namespace ringwave::parity
