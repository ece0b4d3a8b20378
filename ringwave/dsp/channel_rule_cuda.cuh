// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "ringwave/backend/cuda/cuda_block_op.cuh"
#include "ringwave/dsp/channel_rule.hpp"

namespace ringwave::dsp {
namespace rule {

inline constexpr int kThreads = 64;  // few: channels spread over the multiprocessors
inline constexpr int kAhead = 8;     // samples that are read before the first of them is computed

/// A channel a thread, sample by sample.
template <class Rule>
__global__ void __launch_bounds__(kThreads)
    channel_kernel(const typename Rule::Constants constants, BlockView<const float> in, BlockView<float> out,
                   typename Rule::State* states, float* lines, unsigned long long* nonfinite) {
  const int channel = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (channel >= in.channels()) return;
  const float* const x = in.data() + channel * in.stride();
  float* const y = out.data() + channel * out.stride();
  const Line line{lines + channel, in.channels()};
  typename Rule::State state = states[channel];
  int found = 0;
  for (int first = 0; first < in.frames(); first += kAhead) {
    float some[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) some[i] = first + i < in.frames() ? x[first + i] : 0.0F;
    for (int i = 0; i < min(kAhead, in.frames() - first); ++i) {
      const bool bad = !isfinite(some[i]);
      found += bad ? 1 : 0;
      y[first + i] = Rule::step(constants, state, line, channel, bad ? 0.0F : some[i]);
    }
  }
  states[channel] = state;
  if (found != 0) atomicAdd(nonfinite, static_cast<unsigned long long>(found));
}

/// A sample a thread, for rules that remember nothing.
template <class Rule>
__global__ void __launch_bounds__(kThreads)
    sample_kernel(const typename Rule::Constants constants, BlockView<const float> in, BlockView<float> out,
                  unsigned long long* nonfinite) {
  const int n = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (n >= in.frames()) return;
  for (int channel = static_cast<int>(blockIdx.y); channel < in.channels();
       channel += static_cast<int>(gridDim.y)) {
    const float x = in.data()[channel * in.stride() + n];
    const bool bad = !isfinite(x);
    if (bad) atomicAdd(nonfinite, 1ULL);
    typename Rule::State state{};
    out.data()[channel * out.stride() + n] = Rule::step(constants, state, {}, channel, bad ? 0.0F : x);
  }
}

}  // namespace rule

/// The CUDA twin of a rule. `Twin` is its RuleTwin.
template <class Rule, class Twin>
class ChannelRuleCuda final : public backend::cuda::CudaBlockOp<Twin> {
 public:
  /// `line_samples` for each channel. [setup]
  ChannelRuleCuda(Device device, const typename Rule::Constants& constants, int channels,
                  int max_block_frames, int line_samples)
      : backend::cuda::CudaBlockOp<Twin>(device, channels, max_block_frames, constants) {
    if constexpr (Rule::kRemembers) {
      const ringwave::cuda::DeviceScope scope(this->device().index());
      const auto count = static_cast<std::size_t>(channels);
      states_ = ringwave::cuda::DeviceArray<typename Rule::State>(count);
      lines_ = ringwave::cuda::DeviceArray<float>(count * static_cast<std::size_t>(line_samples));
    }
    this->warm_up();
  }

  void reset() noexcept override {
    const ringwave::cuda::DeviceScope scope(this->device().index());
    (void)this->device().note(reset_in(this->stream()));
  }

  Status enqueue_reset(Queue& queue) noexcept override {
    return ringwave::cuda::submit(this->device(), queue,
                                  [this](cudaStream_t stream) noexcept { return reset_in(stream); });
  }

 private:
  cudaError_t launch(cudaStream_t stream, BlockView<const float> in, BlockView<float> out) noexcept override {
    constexpr int kMostRows = 65535;  // of a grid, by the hardware; the kernel walks over the rest
    if constexpr (Rule::kRemembers) {
      rule::channel_kernel<Rule>
          <<<(in.channels() + rule::kThreads - 1) / rule::kThreads, rule::kThreads, 0, stream>>>(
              this->constants(), in, out, states_.data(), lines_.data(), this->nonfinite());
    } else {
      const dim3 grid((in.frames() + rule::kThreads - 1) / rule::kThreads,
                      std::min(in.channels(), kMostRows));
      rule::sample_kernel<Rule>
          <<<grid, rule::kThreads, 0, stream>>>(this->constants(), in, out, this->nonfinite());
    }
    return cudaGetLastError();
  }

  /// A State{} is all zeros, as is a line at first.
  cudaError_t reset_in(cudaStream_t stream) noexcept {
    cudaError_t error = cudaSuccess;
    if (states_.size() > 0) error = cudaMemsetAsync(states_.data(), 0, states_.bytes(), stream);
    if (lines_.size() > 0 && error == cudaSuccess)
      error = cudaMemsetAsync(lines_.data(), 0, lines_.bytes(), stream);
    return error;
  }

  /// A thread that walks along a channel reads a line of memory again and again: not over the bus.
  [[nodiscard]] bool reads_once(int /*frames*/) const noexcept override { return !Rule::kRemembers; }

  ringwave::cuda::DeviceArray<typename Rule::State> states_;
  ringwave::cuda::DeviceArray<float> lines_;  // [sample][channel]
};

}  // namespace ringwave::dsp
