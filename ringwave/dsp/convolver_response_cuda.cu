// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/convolver_response_cuda.cuh"

#include <algorithm>

#include "ringwave/core/cuda/cufft.cuh"
#include "ringwave/core/cuda/stream.cuh"

namespace ringwave::dsp::convolver_cuda {
namespace {

using ringwave::cuda::CudaRuntime;
using ringwave::cuda::DeviceArray;

/// Turns the parts of a path into spectra, up to `group` of them at a time.
class ResponseMaker {
 public:
  ResponseMaker(CudaRuntime& device, const Shape& shape, int group)
      : device_(device),
        shape_(shape),
        group_(group),
        taps_(product(group, shape.frames)),
        padded_(product(group, 2LL * shape.frames)),
        spectra_(product(group, shape.frames + 1)),
        plan_(2 * shape.frames, group, CUFFT_R2C, {1, 2 * shape.frames}, {1, shape.frames + 1}) {}

  /// The parts from `part` on, from the taps of the whole path.
  void make(std::span<const float> taps, int part, float4* to) {
    const auto first = std::min(product(part, shape_.frames), taps.size());
    const auto some = taps.subspan(first, std::min(taps.size() - first, taps_.size()));
    if (!some.empty())
      device_.require(cudaMemcpyAsync(taps_.data(), some.data(), some.size_bytes(), cudaMemcpyHostToDevice,
                                      stream_.get()),
                      "copying a response to the GPU");
    const float scale = 1.0F / static_cast<float>(2 * shape_.frames);
    cudaError_t error = pad(stream_.get(), taps_.data(), static_cast<long long>(some.size()), shape_.frames,
                            group_, scale, padded_.data());
    if (error == cudaSuccess)
      error = plan_.execute(stream_.get(), padded_.data(), reinterpret_cast<float*>(spectra_.data()), true);
    if (error == cudaSuccess)
      error = pack_response(stream_.get(), spectra_.data(), std::min(group_, shape_.parts - part),
                            shape_.frames, to);
    device_.require(error, "transforming a response");
  }

  void finish() { device_.require(cudaStreamSynchronize(stream_.get()), "transforming a response"); }

 private:
  CudaRuntime& device_;
  const Shape& shape_;
  int group_;
  ringwave::cuda::Stream stream_;
  DeviceArray<float> taps_;
  DeviceArray<float> padded_;
  DeviceArray<float2> spectra_;
  ringwave::cuda::CufftPlan plan_;
};

}  // namespace

std::unique_ptr<Response> make_response(CudaRuntime& device, const Shape& shape,
                                        std::span<const Convolver::Path> paths) {
  constexpr int kTapsAtATime = 8 << 20;
  const int group = std::max(1, std::min(shape.parts, kTapsAtATime / shape.frames));
  auto made = std::make_unique<Response>(product(shape.paths, shape.parts, shape.lanes));
  ResponseMaker maker(device, shape, group);
  float4* to = made->data();
  for (const Convolver::Path& path : paths) {
    for (int part = 0; part < shape.parts; part += group)
      maker.make(path.taps, part, to + product(part, shape.lanes));
    to += product(shape.parts, shape.lanes);
  }
  maker.finish();
  return made;
}

}  // namespace ringwave::dsp::convolver_cuda
