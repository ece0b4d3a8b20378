// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ringwave/backend/cuda/cuda_block_op.cuh"
#include "ringwave/dsp/fir_twins.hpp"

namespace ringwave::dsp {
namespace {

constexpr int kThreads = 128;
constexpr int kOutputs = 4;  // of a thread
constexpr int kFrames = kThreads * kOutputs;
constexpr int kTaps = 8 * kFirRun;  // that are in shared memory at a time
constexpr int kMostRows = 65535;    // of a grid, by the hardware; the kernels walk over the rest

/// Past and block of every channel in one piece, `stride` samples apart: from there the input may be
/// overwritten.
__global__ void __launch_bounds__(kThreads)
    gather_kernel(BlockView<const float> in, int before, const float* past, float* window,
                  std::ptrdiff_t stride, unsigned long long* nonfinite) {
  const int n = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (n >= before + in.frames()) return;
  for (int channel = static_cast<int>(blockIdx.y); channel < in.channels();
       channel += static_cast<int>(gridDim.y)) {
    float x = 0;
    if (n < before) {
      x = past[static_cast<std::ptrdiff_t>(channel) * before + n];
    } else {
      x = in.data()[channel * in.stride() + n - before];
      if (!isfinite(x)) atomicAdd(nonfinite, 1ULL);
    }
    window[channel * stride + n] = x;
  }
}

/// A block of threads has kFrames frames of a channel, thread t the frames t, t + kThreads and so on: what a
/// warp reads of shared memory lies side by side. The last samples of the window become the past.
__global__ void __launch_bounds__(kThreads)
    fir_kernel(const float* taps, int count, const float* window, std::ptrdiff_t stride, BlockView<float> out,
               float* past) {
  __shared__ float some_taps[kTaps];
  __shared__ float samples[kFrames + kTaps];
  const int before = count - 1;
  const int first = static_cast<int>(blockIdx.x) * kFrames;
  const int self = static_cast<int>(threadIdx.x);
  for (int channel = static_cast<int>(blockIdx.y); channel < out.channels();
       channel += static_cast<int>(gridDim.y)) {
    const float* const x = window + channel * stride + before;
    float total[kOutputs] = {};
    for (int k0 = 0; k0 < count; k0 += kTaps) {
      const int taken = min(kTaps, count - k0);
      __syncthreads();
      for (int k = self; k < taken; k += kThreads) some_taps[k] = taps[k0 + k];
      const int lowest = first - k0 - (taken - 1);
      for (int n = self; n < kFrames + taken - 1; n += kThreads)
        samples[n] = lowest + n < out.frames() ? x[lowest + n] : 0.0F;
      __syncthreads();
      for (int k1 = 0; k1 < taken; k1 += kFirRun) {
        float run[kOutputs] = {};
        for (int k = k1; k < min(k1 + kFirRun, taken); ++k)
#pragma unroll
          for (int i = 0; i < kOutputs; ++i)
            run[i] += some_taps[k] * samples[self + i * kThreads + taken - 1 - k];
#pragma unroll
        for (int i = 0; i < kOutputs; ++i) total[i] += run[i];
      }
    }
#pragma unroll
    for (int i = 0; i < kOutputs; ++i) {
      const int n = first + i * kThreads + self;
      if (n < out.frames()) out.data()[channel * out.stride() + n] = total[i];
    }
    for (int n = first / kOutputs + self; n < before; n += static_cast<int>(gridDim.x) * kThreads)
      past[static_cast<std::ptrdiff_t>(channel) * before + n] = x[out.frames() - before + n];
  }
}

class FirCuda final : public backend::cuda::CudaBlockOp<backend::BlockOp> {
 public:
  FirCuda(Device device, const Fir::Request& request)
      : CudaBlockOp(device, request.spec.channels, request.spec.max_block_frames),
        count_(static_cast<int>(request.taps.size())),
        stride_(count_ - 1 + static_cast<std::ptrdiff_t>(request.spec.max_block_frames)) {
    const ringwave::cuda::DeviceScope scope(this->device().index());
    const auto channels = static_cast<std::size_t>(request.spec.channels);
    taps_ = ringwave::cuda::DeviceArray<float>(std::span<const float>(request.taps));
    past_ = ringwave::cuda::DeviceArray<float>(channels * (request.taps.size() - 1));
    window_ = ringwave::cuda::DeviceArray<float>(channels * static_cast<std::size_t>(stride_));
    warm_up();
  }

  void reset() noexcept override {
    const ringwave::cuda::DeviceScope scope(device().index());
    (void)device().note(reset_in(stream()));
  }

  Status enqueue_reset(Queue& queue) noexcept override {
    return ringwave::cuda::submit(device(), queue,
                                  [this](cudaStream_t stream) noexcept { return reset_in(stream); });
  }

 private:
  cudaError_t launch(cudaStream_t stream, BlockView<const float> in, BlockView<float> out) noexcept override {
    const int rows = std::min(in.channels(), kMostRows);
    const int length = count_ - 1 + in.frames();
    gather_kernel<<<dim3((length + kThreads - 1) / kThreads, rows), kThreads, 0, stream>>>(
        in, count_ - 1, past_.data(), window_.data(), stride_, nonfinite());
    fir_kernel<<<dim3((in.frames() + kFrames - 1) / kFrames, rows), kThreads, 0, stream>>>(
        taps_.data(), count_, window_.data(), stride_, out, past_.data());
    return cudaGetLastError();
  }

  cudaError_t reset_in(cudaStream_t stream) noexcept {
    if (count_ == 1) return cudaSuccess;
    return cudaMemsetAsync(past_.data(), 0, past_.bytes(), stream);
  }

  [[nodiscard]] bool reads_once(int /*frames*/) const noexcept override { return true; }

  int count_;
  std::ptrdiff_t stride_;  // between the channels of the window
  ringwave::cuda::DeviceArray<float> taps_;
  ringwave::cuda::DeviceArray<float> past_;    // [channel][taps - 1]
  ringwave::cuda::DeviceArray<float> window_;  // [channel][taps - 1 + frames]
};

}  // namespace

std::unique_ptr<backend::BlockOp> make_fir_cuda(Device device, const Fir::Request& request) {
  return std::make_unique<FirCuda>(device, request);
}

}  // namespace ringwave::dsp
