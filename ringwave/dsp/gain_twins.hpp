// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ringwave/backend/block_op.hpp"
#include "ringwave/dsp/gain.hpp"
#include "ringwave/dsp/gain_math.hpp"

namespace ringwave::dsp {

/// What the twins share: the ramp, which is known on the host before each block.
class GainTwin : public backend::BlockOp {
 public:
  explicit GainTwin(const Gain::Spec& spec)
      : ramp_{spec.gain, spec.gain, 0, 0}, ramp_frames_(spec.ramp_frames) {}

  void set_gain(float linear) noexcept { ramp_ = {ramp_.at(-1), linear, ramp_frames_, 0}; }
  void reset() noexcept override { ramp_ = {ramp_.to, ramp_.to, 0, 0}; }
  Status enqueue_reset(Queue& /*queue*/) noexcept override {
    reset();
    return Status::ok;
  }

 protected:
  /// The gain of the next block.
  [[nodiscard]] GainRamp ramp() const noexcept { return ramp_; }

  /// A block of `frames` frames lies behind.
  void advance(int frames) noexcept { ramp_ = ramp_.after(frames); }

 private:
  GainRamp ramp_;
  int ramp_frames_;
};

[[nodiscard]] std::unique_ptr<GainTwin> make_gain_cpu(Device device, const Gain::Request& request);
[[nodiscard]] std::unique_ptr<GainTwin> make_gain_cuda(Device device, const Gain::Request& request);

}  // namespace ringwave::dsp
