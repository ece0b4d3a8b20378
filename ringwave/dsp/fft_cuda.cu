// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "ringwave/core/cuda/completion_flag.cuh"
#include "ringwave/core/cuda/cuda_runtime.cuh"
#include "ringwave/core/cuda/cufft.cuh"
#include "ringwave/core/cuda/device_scope.cuh"
#include "ringwave/core/cuda/memory.cuh"
#include "ringwave/core/cuda/stream.cuh"
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
        out_(forward ? spec.bins : spec.time),
        floats_(forward || spec.kind == Fft::Kind::complex ? 2 : 1),
        elements_(forward ? bins_of(spec) : spec.size),
        batch_(spec.batch),
        plan_(spec.size, spec.batch, type_of(spec, forward), layout_of(forward ? spec.time : spec.bins),
              layout_of(out_)) {}

  cudaError_t launch(cudaStream_t stream, const float* in, float* out) noexcept {
    const cudaError_t error = plan_.execute(stream, in, out, forward_);
    if (error != cudaSuccess || scale_ == 1.0F) return error;
    const long long count = static_cast<long long>(elements_) * floats_ * batch_;
    const auto blocks = static_cast<unsigned>(std::min<long long>((count + kThreads - 1) / kThreads, 8192));
    scale_kernel<<<blocks, kThreads, 0, stream>>>(out, scale_, floats_, elements_, out_.stride, out_.distance,
                                                  batch_);
    return cudaGetLastError();
  }

 private:
  static cufftType type_of(const Fft::Spec& spec, bool forward) {
    if (spec.kind == Fft::Kind::complex) return CUFFT_C2C;
    return forward ? CUFFT_R2C : CUFFT_C2R;
  }
  static ringwave::cuda::CufftLayout layout_of(const Fft::Layout& layout) {
    return {static_cast<int>(layout.stride), static_cast<int>(layout.distance)};
  }

  bool forward_;
  float scale_;
  Fft::Layout out_;
  int floats_;
  int elements_;
  int batch_;
  ringwave::cuda::CufftPlan plan_;
};

class FftCuda final : public FftTwin {
 public:
  FftCuda(Device device, const Fft::Request& spec)
      : device_(static_cast<ringwave::cuda::CudaRuntime&>(device.runtime())),
        scope_(std::in_place, device_.index()),
        sample_floats_(floats(spec.time, spec.size, spec.batch, spec.kind == Fft::Kind::complex ? 2 : 1)),
        bin_floats_(floats(spec.bins, bins_of(spec), spec.batch, 2)),
        host_(std::max(sample_floats_, bin_floats_)),
        samples_(spec.in_place ? host_.size() : sample_floats_),
        bins_(spec.in_place ? 0 : bin_floats_),
        forward_(spec, true, FftScale(spec).forward),
        inverse_(spec, false, FftScale(spec).inverse) {
    if (device.lost())
      throw DeviceLost(device.name() + " has failed earlier in this process; prepare on another device");
    scope_.reset();
    warm_up();
  }

  Status forward(const float* samples, float* bins) noexcept override {
    return run(forward_, {samples, sample_floats_, samples_.data()}, {bins, bin_floats_, device_bins()});
  }

  Status inverse(float* bins, float* samples) noexcept override {
    return run(inverse_, {bins, bin_floats_, device_bins()}, {samples, sample_floats_, samples_.data()});
  }

  Status enqueue_forward(Queue& queue, const float* samples, float* bins) noexcept override {
    return enqueue(queue, forward_, samples, bins);
  }

  Status enqueue_inverse(Queue& queue, float* bins, float* samples) noexcept override {
    return enqueue(queue, inverse_, bins, samples);
  }

 private:
  struct Source {
    const float* host;
    std::size_t floats;
    float* device;
  };
  struct Sink {
    float* host;
    std::size_t floats;
    float* device;
  };

  static std::size_t floats(const Fft::Layout& layout, int elements, int batch, int floats_each) {
    return static_cast<std::size_t>((elements - 1) * layout.stride + (batch - 1) * layout.distance + 1) *
           static_cast<std::size_t>(floats_each);
  }

  [[nodiscard]] float* device_bins() const noexcept {
    return bins_.size() == 0 ? samples_.data() : bins_.data();
  }

  Status run(Direction& direction, Source in, Sink out) noexcept {
    if (device_.lost()) return Status::device_lost;
    const ringwave::cuda::DeviceScope scope(device_.index());
    std::copy_n(in.host, in.floats, host_.data());
    cudaError_t error = cudaMemcpyAsync(in.device, host_.data(), in.floats * sizeof(float),
                                        cudaMemcpyHostToDevice, stream_.get());
    if (error == cudaSuccess) error = direction.launch(stream_.get(), in.device, out.device);
    if (error == cudaSuccess)
      error = cudaMemcpyAsync(host_.data(), out.device, out.floats * sizeof(float), cudaMemcpyDeviceToHost,
                              stream_.get());
    if (error == cudaSuccess) error = done_.raise_in(stream_.get());
    if (error == cudaSuccess) error = done_.wait(stream_.get());
    if (error != cudaSuccess) return device_.note(error);
    std::copy_n(host_.data(), out.floats, out.host);
    return Status::ok;
  }

  Status enqueue(Queue& queue, Direction& direction, const float* in, float* out) noexcept {
    if (device_.lost()) return Status::device_lost;
    cudaError_t error = cudaSuccess;
    const bool taken = queue.try_submit([&direction, in, out, error = &error](NativeQueue stream) noexcept {
      *error = direction.launch(static_cast<cudaStream_t>(stream), in, out);
    });
    if (error != cudaSuccess) return device_.note(error);
    if (taken) return Status::ok;
    return device_.lost() ? Status::device_lost : Status::busy;
  }

  void warm_up() {
    const ringwave::cuda::DeviceScope scope(device_.index());
    device_.require(forward_.launch(stream_.get(), samples_.data(), device_bins()),
                    "running the first transform");
    device_.require(inverse_.launch(stream_.get(), device_bins(), samples_.data()),
                    "running the first transform");
    device_.require(cudaStreamSynchronize(stream_.get()), "running the first transform");
  }

  ringwave::cuda::CudaRuntime& device_;
  std::optional<ringwave::cuda::DeviceScope> scope_;  // while the members below are made
  std::size_t sample_floats_;
  std::size_t bin_floats_;
  ringwave::cuda::Stream stream_;
  ringwave::cuda::CompletionFlag done_;
  ringwave::cuda::PinnedArray<float> host_;
  ringwave::cuda::DeviceArray<float> samples_;
  ringwave::cuda::DeviceArray<float> bins_;
  Direction forward_;
  Direction inverse_;
};

}  // namespace

std::unique_ptr<FftTwin> make_fft_cuda(Device device, const Fft::Request& request) {
  return std::make_unique<FftCuda>(device, request);
}

bool fft_cuda_supports(Device /*device*/, const Fft::Request& /*request*/) noexcept {
  return ringwave::cuda::CufftPlan::available();
}

}  // namespace ringwave::dsp
