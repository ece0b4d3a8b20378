// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <optional>

#include "ringwave/core/cuda/captured_work.cuh"
#include "ringwave/core/cuda/completion_flag.cuh"
#include "ringwave/core/cuda/cuda_runtime.cuh"
#include "ringwave/core/cuda/cufft.cuh"
#include "ringwave/core/cuda/device_scope.cuh"
#include "ringwave/core/cuda/memory.cuh"
#include "ringwave/core/cuda/stream.cuh"
#include "ringwave/core/cuda/submit.cuh"
#include "ringwave/dsp/fft_twins.hpp"

namespace ringwave::dsp {
namespace {

constexpr int kThreads = 256;

/// Multiplies the elements of a batch, and nothing that lies between them. An element has `floats` floats.
__global__ void __launch_bounds__(kThreads)
    scale_kernel(float* data, float factor, int floats, long long elements, long long stride,
                 long long distance, long long batch) {
  const long long row = elements * floats;
  const long long step = static_cast<long long>(gridDim.x) * kThreads;
  for (long long i = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x; i < row * batch;
       i += step) {
    const long long in_row = i % row;
    data[(i / row * distance + in_row / floats * stride) * floats + in_row % floats] *= factor;
  }
}

/// One direction on the device: the plan and the factor after it.
class Direction {
 public:
  Direction(const Fft::Spec& spec, bool forward, float scale)
      : forward_(forward),
        scale_(scale),
        out_(forward ? bins_side(spec) : time_side(spec)),
        plan_(spec.size, spec.batch, type_of(spec, forward), layout_of(forward ? spec.time : spec.bins),
              layout_of(out_.layout)) {}

  /// Between the arrays of prepare(), without a call of cuFFT. [audio]
  cudaError_t launch(cudaStream_t stream) noexcept { return captured_->launch(stream); }

  /// Between any arrays. [audio]
  cudaError_t launch(cudaStream_t stream, const float* in, float* out) noexcept {
    const cudaError_t error = plan_.execute(stream, in, out, forward_);
    return error == cudaSuccess ? scale(stream, out) : error;
  }

  /// Fixes the arrays of the short form. [setup]
  void prepare(cudaStream_t stream, const float* in, float* out) {
    captured_.emplace(stream, [=, this](cudaStream_t capturing) { return launch(capturing, in, out); });
  }

 private:
  cudaError_t scale(cudaStream_t stream, float* out) noexcept {
    if (scale_ == 1.0F) return cudaSuccess;
    const long long count = static_cast<long long>(out_.elements) * out_.floats * out_.batch;
    const auto blocks = static_cast<unsigned>(std::min<long long>((count + kThreads - 1) / kThreads, 8192));
    scale_kernel<<<blocks, kThreads, 0, stream>>>(out, scale_, out_.floats, out_.elements, out_.layout.stride,
                                                  out_.layout.distance, out_.batch);
    return cudaGetLastError();
  }

  static cufftType type_of(const Fft::Spec& spec, bool forward) {
    if (spec.kind == Fft::Kind::complex) return CUFFT_C2C;
    return forward ? CUFFT_R2C : CUFFT_C2R;
  }
  static ringwave::cuda::CufftLayout layout_of(const Fft::Layout& layout) {
    return {static_cast<int>(layout.stride), static_cast<int>(layout.distance)};
  }

  bool forward_;
  float scale_;
  FftSide out_;
  ringwave::cuda::CufftPlan plan_;
  std::optional<ringwave::cuda::CapturedWork> captured_;
};

/// Copies the elements and nothing that lies between them. [audio]
void copy(const FftSide& side, const float* from, float* to) noexcept {
  if (side.layout.stride == 1 && (side.batch == 1 || side.layout.distance == side.elements)) {
    std::copy_n(from, side.extent(), to);
    return;
  }
  for (int b = 0; b < side.batch; ++b)
    for (int n = 0; n < side.elements; ++n)
      std::copy_n(from + side.at(b, n), side.floats, to + side.at(b, n));
}

class FftCuda final : public TransformTwin {
 public:
  FftCuda(Device device, const Fft::Request& spec)
      : device_(ringwave::cuda::CudaRuntime::of(device)),
        scope_(std::in_place, device_.index()),
        time_(time_side(spec)),
        frequency_(bins_side(spec)),
        host_(std::max(time_.extent(), frequency_.extent())),
        samples_(spec.in_place ? host_.size() : time_.extent()),
        bins_(spec.in_place ? 0 : frequency_.extent()),
        forward_(spec, true, FftScale(spec).forward),
        inverse_(spec, false, FftScale(spec).inverse) {
    scope_.reset();
    warm_up();
  }

  Status forward(const float* samples, float* bins) noexcept override {
    return run(forward_, {time_, samples_.data()}, samples, {frequency_, device_bins()}, bins);
  }

  Status inverse(float* bins, float* samples) noexcept override {
    return run(inverse_, {frequency_, device_bins()}, bins, {time_, samples_.data()}, samples);
  }

  Status enqueue_forward(Queue& queue, const float* samples, float* bins) noexcept override {
    return enqueue(queue, forward_, samples, bins);
  }

  Status enqueue_inverse(Queue& queue, float* bins, float* samples) noexcept override {
    return enqueue(queue, inverse_, bins, samples);
  }

 private:
  /// A side and its place on the device.
  struct Staged {
    const FftSide& side;
    float* device;
    [[nodiscard]] std::size_t bytes() const noexcept { return side.extent() * sizeof(float); }
  };

  [[nodiscard]] float* device_bins() const noexcept {
    return bins_.size() == 0 ? samples_.data() : bins_.data();
  }

  Status run(Direction& direction, Staged in, const float* from, Staged out, float* to) noexcept {
    if (device_.lost()) return Status::device_lost;
    const ringwave::cuda::DeviceScope scope(device_.index());
    const cudaStream_t stream = stream_.get();
    copy(in.side, from, host_.data());
    cudaError_t error = cudaMemcpyAsync(in.device, host_.data(), in.bytes(), cudaMemcpyHostToDevice, stream);
    if (error == cudaSuccess) error = direction.launch(stream);
    if (error == cudaSuccess)
      error = cudaMemcpyAsync(host_.data(), out.device, out.bytes(), cudaMemcpyDeviceToHost, stream);
    if (error == cudaSuccess) error = done_.raise_in(stream);
    if (error == cudaSuccess) error = done_.wait(stream);
    if (error != cudaSuccess) return device_.note(error);
    copy(out.side, host_.data(), to);
    return Status::ok;
  }

  Status enqueue(Queue& queue, Direction& direction, const float* in, float* out) noexcept {
    if (!is_aligned(in) || !is_aligned(out)) return Status::wrong_shape;
    return ringwave::cuda::submit(
        device_, queue, [&](cudaStream_t stream) noexcept { return direction.launch(stream, in, out); });
  }

  /// cuFFT reads pairs of floats, and from elsewhere not at all: the device would be lost.
  [[nodiscard]] static bool is_aligned(const float* memory) noexcept {
    return reinterpret_cast<std::uintptr_t>(memory) % sizeof(float2) == 0;
  }

  void warm_up() {
    const ringwave::cuda::DeviceScope scope(device_.index());
    forward_.prepare(stream_.get(), samples_.data(), device_bins());
    inverse_.prepare(stream_.get(), device_bins(), samples_.data());
    for (Direction* direction : {&forward_, &inverse_})
      device_.require(direction->launch(stream_.get()), "running the first transform");
    device_.require(forward_.launch(stream_.get(), samples_.data(), device_bins()),
                    "running the first transform");
    device_.require(inverse_.launch(stream_.get(), device_bins(), samples_.data()),
                    "running the first transform");
    device_.require(cudaStreamSynchronize(stream_.get()), "running the first transform");
  }

  ringwave::cuda::CudaRuntime& device_;
  std::optional<ringwave::cuda::DeviceScope> scope_;  // while the members below are made
  FftSide time_;
  FftSide frequency_;
  ringwave::cuda::Stream stream_;
  ringwave::cuda::CompletionFlag done_;
  ringwave::cuda::PinnedArray<float> host_;
  ringwave::cuda::DeviceArray<float> samples_;
  ringwave::cuda::DeviceArray<float> bins_;
  Direction forward_;
  Direction inverse_;
};

}  // namespace

std::unique_ptr<TransformTwin> make_fft_cuda(Device device, const Fft::Request& request) {
  return std::make_unique<FftCuda>(device, request);
}

bool fft_cuda_supports(Device /*device*/, const Fft::Request& /*request*/) noexcept {
  return ringwave::cuda::CufftPlan::available();
}

}  // namespace ringwave::dsp
