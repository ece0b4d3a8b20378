// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "ringwave/core/cuda/completion_flag.cuh"
#include "ringwave/core/cuda/cuda_runtime.cuh"
#include "ringwave/core/cuda/device_scope.cuh"
#include "ringwave/core/cuda/memory.cuh"
#include "ringwave/core/cuda/stream.cuh"
#include "ringwave/core/cuda/submit.cuh"
#include "ringwave/dsp/resampler_kernels_cuda.cuh"
#include "ringwave/dsp/resampler_twins.hpp"

namespace ringwave::dsp {
namespace {

/// Samples of one channel group that are staged at a time on their way from and to host memory.
constexpr std::int64_t kStagedSamples = std::int64_t{1} << 20;

/// How a host signal is cut: so many outputs of so many channels at a time, and the inputs that they need.
struct Piece {
  Piece(const PolyphaseFilter& filter, const Resampler::Spec& spec, std::int64_t all_outputs,
        std::int64_t outputs_multiple) {
    const std::int64_t before = filter.taps() + 8;  // a row, and the way to a multiple of four
    outputs = std::max<std::int64_t>(1, (kStagedSamples - before) * filter.up() / filter.down());
    outputs = std::min({outputs, kStagedSamples, all_outputs});
    if (outputs < all_outputs)
      outputs = std::max<std::int64_t>(1, outputs / outputs_multiple) * outputs_multiple;
    inputs = std::min<std::int64_t>(outputs * filter.down() / filter.up() + before, spec.max_frames);
    channels = static_cast<int>(
        std::clamp<std::int64_t>(kStagedSamples / std::max(outputs, inputs), 1, spec.channels));
  }
  std::int64_t outputs;
  std::int64_t inputs;
  int channels;
};

class ResamplerCuda final : public ResamplerTwin {
 public:
  ResamplerCuda(Device device, const Resampler::Request& request)
      : device_(ringwave::cuda::CudaRuntime::of(device)),
        scope_(std::in_place, device_.index()),
        filter_(request, 4),
        kernels_(filter_),
        piece_(filter_, request.spec, outputs_of(request.spec.max_frames), kernels_.outputs_multiple()),
        host_in_(static_cast<std::size_t>(piece_.inputs * piece_.channels)),
        host_out_(static_cast<std::size_t>(piece_.outputs * piece_.channels)),
        in_(host_in_.size()),
        out_(host_out_.size()) {
    scope_.reset();
    warm_up(request.spec);
  }

  Status process(BlockView<const float> in, BlockView<float> out) noexcept override {
    if (device_.lost()) return Status::device_lost;
    const ringwave::cuda::DeviceScope scope(device_.index());
    for (int channel = 0; channel < in.channels(); channel += piece_.channels)
      for (std::int64_t m = 0; m < out.frames(); m += piece_.outputs) {
        const cudaError_t error = run_piece(in, out, channel, m);
        if (error != cudaSuccess) return device_.note(error);
      }
    return Status::ok;
  }

  Status enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept override {
    return ringwave::cuda::submit(device_, queue, [this, in, out](cudaStream_t stream) noexcept {
      return kernels_.launch(stream, {.in = in.data(),
                                      .in_stride = in.stride(),
                                      .in_first = 0,
                                      .in_count = in.frames(),
                                      .out = out.data(),
                                      .out_stride = out.stride(),
                                      .out_first = 0,
                                      .out_count = out.frames(),
                                      .channels = in.channels()});
    });
  }

 private:
  [[nodiscard]] std::int64_t outputs_of(std::int64_t frames) const noexcept {
    return (frames * filter_.up() + filter_.down() - 1) / filter_.down();
  }

  /// Outputs from `m` on of the channels from `channel` on: there, through the kernel, and back.
  cudaError_t run_piece(BlockView<const float> in, BlockView<float> out, int channel,
                        std::int64_t m) noexcept {
    const int channels = std::min(piece_.channels, in.channels() - channel);
    const std::int64_t outputs = std::min<std::int64_t>(piece_.outputs, out.frames() - m);
    // The kernels read whole vectors of four: the first input is one of them.
    const std::int64_t first = std::clamp<std::int64_t>(filter_.first(m), 0, in.frames() - 1) / 4 * 4;
    const std::int64_t end =
        std::clamp<std::int64_t>(filter_.first(m + outputs - 1) + filter_.taps(), first + 1, in.frames());
    const std::int64_t inputs = end - first;
    for (int i = 0; i < channels; ++i)
      std::copy_n(in.channel(channel + i).data() + first, inputs, host_in_.data() + i * inputs);
    const cudaStream_t stream = stream_.get();
    const auto bytes = [channels](std::int64_t frames) {
      return static_cast<std::size_t>(channels * frames) * sizeof(float);
    };
    cudaError_t error =
        cudaMemcpyAsync(in_.data(), host_in_.data(), bytes(inputs), cudaMemcpyHostToDevice, stream);
    if (error == cudaSuccess)
      error = kernels_.launch(stream, {.in = in_.data(),
                                       .in_stride = inputs,
                                       .in_first = first,
                                       .in_count = inputs,
                                       .out = out_.data(),
                                       .out_stride = outputs,
                                       .out_first = m,
                                       .out_count = outputs,
                                       .channels = channels});
    if (error == cudaSuccess)
      error = cudaMemcpyAsync(host_out_.data(), out_.data(), bytes(outputs), cudaMemcpyDeviceToHost, stream);
    if (error == cudaSuccess) error = done_.raise_in(stream);
    if (error == cudaSuccess) error = done_.wait(stream);
    if (error != cudaSuccess) return error;
    for (int i = 0; i < channels; ++i)
      std::copy_n(host_out_.data() + i * outputs, outputs, out.channel(channel + i).data() + m);
    return cudaSuccess;
  }

  /// Both kernels, so that the first signal finds them loaded.
  void warm_up(const Resampler::Spec& spec) {
    const ringwave::cuda::DeviceScope scope(device_.index());
    const std::int64_t inputs = std::min<std::int64_t>(piece_.inputs, spec.max_frames);
    const ResamplerJob job{.in = in_.data(),
                           .in_stride = inputs,
                           .in_first = 0,
                           .in_count = inputs,
                           .out = out_.data(),
                           .out_stride = piece_.outputs,
                           .out_first = 0,
                           .out_count = piece_.outputs,
                           .channels = piece_.channels};
    device_.require(kernels_.warm_up(stream_.get(), job), "running the first signal");
    device_.require(
        cudaMemcpyAsync(in_.data(), host_in_.data(), sizeof(float), cudaMemcpyHostToDevice, stream_.get()),
        "running the first signal");
    device_.require(
        cudaMemcpyAsync(host_out_.data(), out_.data(), sizeof(float), cudaMemcpyDeviceToHost, stream_.get()),
        "running the first signal");
    device_.require(done_.raise_in(stream_.get()), "running the first signal");
    device_.require(cudaStreamSynchronize(stream_.get()), "running the first signal");
  }

  ringwave::cuda::CudaRuntime& device_;
  std::optional<ringwave::cuda::DeviceScope> scope_;  // while the members below are made
  PolyphaseFilter filter_;
  ResamplerKernels kernels_;
  Piece piece_;
  ringwave::cuda::Stream stream_;
  ringwave::cuda::CompletionFlag done_;
  ringwave::cuda::PinnedArray<float> host_in_;
  ringwave::cuda::PinnedArray<float> host_out_;
  ringwave::cuda::DeviceArray<float> in_;
  ringwave::cuda::DeviceArray<float> out_;
};

}  // namespace

std::unique_ptr<ResamplerTwin> make_resampler_cuda(Device device, const Resampler::Request& request) {
  return std::make_unique<ResamplerCuda>(device, request);
}

}  // namespace ringwave::dsp
