// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/cuda/cuda_block_op.cuh"
#include "ringwave/dsp/gain_twins.hpp"

namespace ringwave::dsp {
namespace {

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads) gain_kernel(GainRamp ramp, BlockView<const float> in,
                                                        BlockView<float> out, unsigned long long* nonfinite) {
  const int n = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (n >= in.frames()) return;
  const float gain = ramp.at(n);
  for (int channel = static_cast<int>(blockIdx.y); channel < in.channels();
       channel += static_cast<int>(gridDim.y)) {
    const float x = in.data()[channel * in.stride() + n];
    if (!isfinite(x)) atomicAdd(nonfinite, 1ULL);
    out.data()[channel * out.stride() + n] = gain * x;
  }
}

class GainCuda final : public backend::cuda::CudaBlockOp<GainTwin> {
 public:
  GainCuda(Device device, const Gain::Request& request)
      : CudaBlockOp(device, request.channels, request.max_block_frames, request) {
    warm_up();
  }

 private:
  cudaError_t launch(cudaStream_t stream, BlockView<const float> in, BlockView<float> out) noexcept override {
    constexpr int kMostRows = 65535;  // of a grid, by the hardware; the kernel walks over the rest
    const dim3 grid((in.frames() + kThreads - 1) / kThreads, std::min(in.channels(), kMostRows));
    gain_kernel<<<grid, kThreads, 0, stream>>>(ramp(), in, out, nonfinite());
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) advance(in.frames());
    return error;
  }

  [[nodiscard]] bool reads_once(int /*frames*/) const noexcept override { return true; }
};

}  // namespace

std::unique_ptr<GainTwin> make_gain_cuda(Device device, const Gain::Request& request) {
  return std::make_unique<GainCuda>(device, request);
}

}  // namespace ringwave::dsp
