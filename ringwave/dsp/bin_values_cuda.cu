// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "ringwave/core/cuda/completion_flag.cuh"
#include "ringwave/core/cuda/cuda_runtime.cuh"
#include "ringwave/core/cuda/device_scope.cuh"
#include "ringwave/core/cuda/memory.cuh"
#include "ringwave/core/cuda/stream.cuh"
#include "ringwave/core/cuda/submit.cuh"
#include "ringwave/dsp/bin_values_math.hpp"
#include "ringwave/dsp/bin_values_twins.hpp"

namespace ringwave::dsp {
namespace {

constexpr int kThreads = 256;
constexpr std::size_t kMostBlocks = 1 << 16;
constexpr std::size_t kStagedBins = std::size_t{1} << 20;  // of pinned memory on the way to and fro

/// Moves 12 bytes a bin and computes little: the memory is its floor.
template <BinValues::Quantity kQuantity>
__global__ void __launch_bounds__(kThreads)
    values_kernel(const float2* __restrict__ bins, float* __restrict__ values, std::size_t count,
                  float least_power) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * kThreads;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x; i < count; i += step) {
    const float2 bin = bins[i];
    values[i] = bin_value<kQuantity>(bin.x, bin.y, least_power);
  }
}

class BinValuesCuda final : public BinValuesTwin {
 public:
  BinValuesCuda(Device device, const BinValues::Spec& spec)
      : device_(ringwave::cuda::CudaRuntime::of(device)),
        scope_(std::in_place, device_.index()),
        quantity_(spec.quantity),
        least_power_(power_at(spec.floor_db)),
        bins_(std::min(kStagedBins, spec.max_bins)),
        values_(bins_.size()) {
    device_.require(launch(stream_.get(), bins_.data(), values_.data(), bins_.size()),
                    "running the first bins");
    device_.require(cudaStreamSynchronize(stream_.get()), "running the first bins");
    scope_.reset();
  }

  /// Straight from pinned memory and back: both directions of the bus at once.
  Status process(const Complex* bins, float* values, std::size_t count) noexcept override {
    if (device_.lost()) return Status::device_lost;
    const ringwave::cuda::DeviceScope scope(device_.index());
    for (std::size_t at = 0; at < count; at += bins_.size()) {
      const std::size_t part = std::min(bins_.size(), count - at);
      std::copy_n(reinterpret_cast<const float2*>(bins) + at, part, bins_.data());
      cudaError_t error = launch(stream_.get(), bins_.data(), values_.data(), part);
      if (error == cudaSuccess) error = done_.raise_in(stream_.get());
      if (error == cudaSuccess) error = done_.wait(stream_.get());
      if (error != cudaSuccess) return device_.note(error);
      std::copy_n(values_.data(), part, values + at);
    }
    return Status::ok;
  }

  Status enqueue(Queue& queue, const Complex* bins, float* values, std::size_t count) noexcept override {
    return ringwave::cuda::submit(device_, queue, [=, this](cudaStream_t stream) noexcept {
      return launch(stream, reinterpret_cast<const float2*>(bins), values, count);
    });
  }

 private:
  cudaError_t launch(cudaStream_t stream, const float2* bins, float* values, std::size_t count) noexcept {
    const auto blocks = static_cast<unsigned>(std::min((count - 1) / kThreads + 1, kMostBlocks));
    return with_quantity(quantity_, [&](auto quantity) {
      values_kernel<quantity()><<<blocks, kThreads, 0, stream>>>(bins, values, count, least_power_);
      return cudaGetLastError();
    });
  }

  ringwave::cuda::CudaRuntime& device_;
  std::optional<ringwave::cuda::DeviceScope> scope_;  // while the members below are made
  BinValues::Quantity quantity_;
  float least_power_;
  ringwave::cuda::Stream stream_;
  ringwave::cuda::CompletionFlag done_;
  ringwave::cuda::PinnedArray<float2> bins_;
  ringwave::cuda::PinnedArray<float> values_;
};

}  // namespace

std::unique_ptr<BinValuesTwin> make_bin_values_cuda(Device device, const BinValues::Request& request) {
  if (device.lost())
    throw DeviceLost(device.name() + " has failed earlier in this process; prepare on another device");
  return std::make_unique<BinValuesCuda>(device, request);
}

}  // namespace ringwave::dsp
