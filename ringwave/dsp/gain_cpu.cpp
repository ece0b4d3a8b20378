// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/cpu/cpu_block_op.hpp"
#include "ringwave/dsp/gain_twins.hpp"

namespace ringwave::dsp {
namespace {

/// Scales the block; returns how many of its samples are not finite.
std::uint64_t scale(GainRamp ramp, BlockView<const float> in, BlockView<float> out) noexcept {
  const FlushSubnormals flush;
  const int frames = in.frames();
  const int ramped = std::min(frames, ramp.frames - ramp.done);
  std::uint64_t nonfinite = 0;
  for (int channel = 0; channel < in.channels(); ++channel) {
    const float* const x = in.channel(channel).data();
    float* const y = out.channel(channel).data();
    std::uint32_t found = 0;
#pragma GCC ivdep  // x and y are the same memory or apart, so that frames do not depend on each other
    for (int n = 0; n < ramped; ++n) {
      found += backend::is_nonfinite(x[n]);
      y[n] = ramp.at(n) * x[n];
    }
#pragma GCC ivdep
    for (int n = ramped; n < frames; ++n) {
      found += backend::is_nonfinite(x[n]);
      y[n] = ramp.to * x[n];
    }
    nonfinite += found;
  }
  return nonfinite;
}

class GainCpu final : public backend::cpu::CpuBlockOp<GainTwin> {
 public:
  using CpuBlockOp::CpuBlockOp;

  Status process(BlockView<const float> in, BlockView<float> out) noexcept override {
    count(scale(ramp(), in, out));
    advance(in.frames());
    return Status::ok;
  }

  Status enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept override {
    const Status taken =
        queue.try_submit([this, now = ramp(), in, out](NativeQueue) noexcept { count(scale(now, in, out)); });
    if (taken == Status::ok) advance(in.frames());
    return taken;
  }

  /// The ramp is with the caller, ahead of the queue.
  Status enqueue_reset(Queue& /*queue*/) noexcept override {
    reset();
    return Status::ok;
  }
};

}  // namespace

std::unique_ptr<GainTwin> make_gain_cpu(Device /*device*/, const Gain::Request& request) {
  return std::make_unique<GainCpu>(request);
}

}  // namespace ringwave::dsp
