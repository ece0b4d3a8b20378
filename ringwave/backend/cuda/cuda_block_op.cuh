// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "ringwave/backend/block_op.hpp"
#include "ringwave/core/cuda/completion_flag.cuh"
#include "ringwave/core/cuda/cuda_runtime.cuh"
#include "ringwave/core/cuda/device_scope.cuh"
#include "ringwave/core/cuda/memory.cuh"
#include "ringwave/core/cuda/stream.cuh"
#include "ringwave/core/cuda/submit.cuh"

namespace ringwave::backend::cuda {

/// The part of a CUDA twin that all share: the way of a host block to the device and back. `Base` is the op's
/// twin interface; a twin implements launch() and calls warm_up() at the end of its constructor.
///
/// Work that reads its input once reads it straight from pinned host memory and writes straight back: both
/// directions of the bus at once and not one copy to start. Work that reads it more than once gets copies in
/// device memory.
template <class Base>
class CudaBlockOp : public Base {
 public:
  template <class... Arguments>
  CudaBlockOp(Device device, int channels, int max_frames, Arguments&&... arguments)
      : Base(std::forward<Arguments>(arguments)...),
        device_(ringwave::cuda::CudaRuntime::of(device)),
        scope_(std::in_place, device_.index()),
        channels_(channels),
        max_frames_(max_frames),
        host_in_(samples()),
        host_out_(samples()),
        nonfinite_(1) {
    scope_.reset();
  }

  Status process(BlockView<const float> in, BlockView<float> out) noexcept override {
    if (device_.lost()) return Status::device_lost;
    const ringwave::cuda::DeviceScope scope(device_.index());
    const int frames = in.frames();
    copy(in, host_in_.data());
    cudaError_t error = reads_once(frames) ? launch(stream_.get(), {host_in_.data(), channels_, frames},
                                                    {host_out_.data(), channels_, frames})
                                           : launch_with_copies(frames);
    if (error == cudaSuccess) error = done_.raise_in(stream_.get());
    if (error == cudaSuccess) error = done_.wait(stream_.get());
    if (error != cudaSuccess) return device_.note(error);
    for (int channel = 0; channel < channels_; ++channel)
      std::copy_n(host_out_.data() + static_cast<std::ptrdiff_t>(channel) * frames, frames,
                  out.channel(channel).data());
    return Status::ok;
  }

  Status enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept override {
    return ringwave::cuda::submit(device_, queue,
                                  [&](cudaStream_t stream) noexcept { return launch(stream, in, out); });
  }

  [[nodiscard]] std::uint64_t nonfinite_samples() const override {
    const ringwave::cuda::DeviceScope scope(device_.index());
    unsigned long long count = 0;
    device_.require(cudaDeviceSynchronize(), "waiting for work in flight");
    device_.require(cudaMemcpy(&count, nonfinite_.data(), sizeof count, cudaMemcpyDeviceToHost),
                    "reading a counter");
    return count;
  }

 protected:
  /// Enqueues the work between blocks that the device can reach. [audio]
  virtual cudaError_t launch(cudaStream_t stream, BlockView<const float> in,
                             BlockView<float> out) noexcept = 0;

  /// True where launch() reads each sample of a block of that length once. [any]
  [[nodiscard]] virtual bool reads_once(int frames) const noexcept = 0;

  /// Runs one silent block of the longest kind, so that the first real one finds everything loaded. Throws
  /// what the device answers. [setup]
  void warm_up() {
    const ringwave::cuda::DeviceScope scope(device_.index());
    if (!reads_once(max_frames_)) {
      device_in_.emplace(samples());
      device_out_.emplace(samples());
    }
    for (const int frames : {1, max_frames_}) {
      std::fill_n(host_in_.data(), samples(), 0.0F);
      const BlockView<float> block{host_in_.data(), channels_, frames};
      if (this->process(block, block) != Status::ok)
        device_.require(cudaDeviceSynchronize(), "running the first block");
    }
    this->reset();
    // The first enqueue() may be on another stream, which nothing orders after that reset.
    device_.require(cudaStreamSynchronize(stream_.get()), "preparing the first block");
  }

  [[nodiscard]] cudaStream_t stream() const noexcept { return stream_.get(); }
  [[nodiscard]] unsigned long long* nonfinite() const noexcept { return nonfinite_.data(); }
  [[nodiscard]] ringwave::cuda::CudaRuntime& device() const noexcept { return device_; }
  [[nodiscard]] int channels() const noexcept { return channels_; }
  [[nodiscard]] int max_frames() const noexcept { return max_frames_; }

 private:
  [[nodiscard]] std::size_t samples() const noexcept {
    return static_cast<std::size_t>(channels_) * static_cast<std::size_t>(max_frames_);
  }

  void copy(BlockView<const float> from, float* to) const noexcept {
    for (int channel = 0; channel < channels_; ++channel)
      std::copy_n(from.channel(channel).data(), from.frames(),
                  to + static_cast<std::ptrdiff_t>(channel) * from.frames());
  }

  cudaError_t launch_with_copies(int frames) noexcept {
    const std::size_t bytes =
        static_cast<std::size_t>(channels_) * static_cast<std::size_t>(frames) * sizeof(float);
    cudaError_t error =
        cudaMemcpyAsync(device_in_->data(), host_in_.data(), bytes, cudaMemcpyHostToDevice, stream_.get());
    if (error == cudaSuccess)
      error = launch(stream_.get(), {device_in_->data(), channels_, frames},
                     {device_out_->data(), channels_, frames});
    if (error == cudaSuccess)
      error = cudaMemcpyAsync(host_out_.data(), device_out_->data(), bytes, cudaMemcpyDeviceToHost,
                              stream_.get());
    return error;
  }

  ringwave::cuda::CudaRuntime& device_;
  std::optional<ringwave::cuda::DeviceScope> scope_;  // while the members below are made
  int channels_;
  int max_frames_;
  ringwave::cuda::Stream stream_;
  ringwave::cuda::CompletionFlag done_;
  ringwave::cuda::PinnedArray<float> host_in_;
  ringwave::cuda::PinnedArray<float> host_out_;
  ringwave::cuda::DeviceArray<unsigned long long> nonfinite_;
  std::optional<ringwave::cuda::DeviceArray<float>> device_in_;
  std::optional<ringwave::cuda::DeviceArray<float>> device_out_;
};

}  // namespace ringwave::backend::cuda
