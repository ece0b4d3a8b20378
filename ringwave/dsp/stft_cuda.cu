// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "ringwave/core/cuda/captured_work.cuh"
#include "ringwave/core/cuda/completion_flag.cuh"
#include "ringwave/core/cuda/cuda_runtime.cuh"
#include "ringwave/core/cuda/cufft.cuh"
#include "ringwave/core/cuda/device_scope.cuh"
#include "ringwave/core/cuda/memory.cuh"
#include "ringwave/core/cuda/stream.cuh"
#include "ringwave/core/cuda/submit.cuh"
#include "ringwave/dsp/stft_kernels_cuda.cuh"
#include "ringwave/dsp/stft_twins.hpp"

namespace ringwave::dsp {
namespace {

constexpr std::size_t kFrameBytes = std::size_t{32} << 20;   // at a time: they stay in the second-level cache
constexpr std::size_t kStagedFloats = std::size_t{4} << 20;  // of pinned memory on the way to and fro

/// A piece and the samples that its frames make whole.
struct Piece {
  FramePiece frames;
  int first_sample;
  int end_sample;
};

/// Pieces of one size that cover all frames of all channels; the last reaches back into the one before.
std::vector<Piece> pieces_of(const StftGrid& grid, int channels) {
  const int cover = (grid.size - 1) / grid.hop + 1;  // frames over one sample
  const auto fitting = static_cast<int>(kFrameBytes / sizeof(float) / static_cast<std::size_t>(grid.size));
  const int most = std::max(fitting, 4 * cover);
  std::vector<Piece> made;
  if (most >= grid.frames) {
    const int group = std::min(channels, most / grid.frames);
    for (int first = 0; first < channels; first += group)
      made.push_back({{std::min(first, channels - group), group, 0, grid.frames}, 0, grid.samples});
    return made;
  }
  for (int channel = 0; channel < channels; ++channel) {
    int done = 0;
    for (int first = 0; done < grid.samples; first += most - cover + 1) {
      const bool last = first + most >= grid.frames;
      const int from = last ? grid.frames - most : first;
      const int end = last ? grid.samples : grid.start_of(first + most);
      made.push_back({{channel, 1, from, most}, done, end});
      done = end;
    }
  }
  return made;
}

/// The pieces' frames in device memory, and the transforms between them and bins.
class Pieces {
 public:
  Pieces(const StftGrid& grid, int channels, bool only_inverse)
      : grid_(grid),
        bins_(grid.size / 2 + 1),
        list_(pieces_of(grid, channels)),
        rows_(list_.front().frames.channels * list_.front().frames.frames),
        frames_(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(grid.size)),
        inverse_(grid.size, rows_, CUFFT_C2R, frequency(), time()) {
    if (!only_inverse) forward_.emplace(grid.size, rows_, CUFFT_R2C, time(), frequency());
  }

  cudaError_t forward(cudaStream_t stream, const float* samples, const float* window, float* bins) noexcept {
    cudaError_t error = cudaSuccess;
    for (std::size_t i = 0; i < list_.size() && error == cudaSuccess; ++i) {
      error = cut_out_frames(stream, grid_, list_[i].frames, samples, window, frames_.data());
      if (error == cudaSuccess)
        error = forward_->execute(stream, frames_.data(), bins + place_of(list_[i]), true);
    }
    return error;
  }

  cudaError_t inverse(cudaStream_t stream, const float* bins, const float* window, float scale,
                      float* samples) noexcept {
    cudaError_t error = cudaSuccess;
    for (std::size_t i = 0; i < list_.size() && error == cudaSuccess; ++i) {
      const Piece& piece = list_[i];
      error = inverse_.execute(stream, bins + place_of(piece), frames_.data(), false);
      if (error == cudaSuccess)
        error = overlap_frames(stream, grid_, piece.frames, piece.first_sample, piece.end_sample,
                               frames_.data(), window, scale, samples);
    }
    return error;
  }

 private:
  [[nodiscard]] ringwave::cuda::CufftLayout time() const noexcept { return {1, grid_.size}; }
  [[nodiscard]] ringwave::cuda::CufftLayout frequency() const noexcept { return {1, bins_}; }

  /// Of a piece's first bin, in floats.
  [[nodiscard]] std::ptrdiff_t place_of(const Piece& piece) const noexcept {
    const std::ptrdiff_t row =
        piece.frames.first_channel * std::ptrdiff_t{grid_.frames} + piece.frames.first_frame;
    return row * bins_ * 2;
  }

  StftGrid grid_;
  int bins_;
  std::vector<Piece> list_;
  int rows_;  // frames of a piece, of all its channels
  ringwave::cuda::DeviceArray<float> frames_;
  ringwave::cuda::CufftPlan inverse_;
  std::optional<ringwave::cuda::CufftPlan> forward_;  // where no kernel of ours does it in one pass
};

std::vector<float> halved(std::vector<float> values) {
  for (float& value : values) value /= 2;
  return values;
}

/// Powers of e^(-2 pi i / size).
std::vector<float2> roots_of(int size, int count) {
  std::vector<float2> roots;
  for (int k = 0; k < count; ++k) {
    const double angle = -2 * std::numbers::pi * k / size;
    roots.push_back({static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
  }
  return roots;
}

class StftCuda final : public TransformTwin {
 public:
  StftCuda(Device device, const Stft::Spec& spec) : StftCuda(device, spec, StftWeights(spec)) {}

  StftCuda(Device device, const Stft::Spec& spec, const StftWeights& weights)
      : device_(ringwave::cuda::CudaRuntime::of(device)),
        scope_(std::in_place, device_.index()),
        channels_(spec.channels),
        grid_(grid_of(spec)),
        fused_(prepare_transform_frames(spec.size)),
        scale_(weights.inverse_scale),
        analysis_(std::span<const float>(fused_ ? halved(weights.analysis) : weights.analysis)),
        synthesis_(std::span<const float>(weights.synthesis)),
        roots_(std::span<const float2>(roots_of(spec.size, fused_ ? spec.size : 0))),
        pieces_(grid_, channels_, fused_),
        samples_(static_cast<std::size_t>(channels_) * static_cast<std::size_t>(grid_.samples)),
        bins_(static_cast<std::size_t>(channels_) * static_cast<std::size_t>(grid_.frames) *
              static_cast<std::size_t>(2 * (grid_.size / 2 + 1))),
        staged_(std::min(kStagedFloats, std::max(samples_.size(), bins_.size()))) {
    forward_.emplace(stream_.get(), [this](cudaStream_t stream) {
      return launch_forward(stream, samples_.data(), bins_.data());
    });
    inverse_.emplace(stream_.get(), [this](cudaStream_t stream) {
      return launch_inverse(stream, bins_.data(), samples_.data());
    });
    device_.require(launch_forward(stream_.get(), samples_.data(), bins_.data()), "running the first frames");
    device_.require(launch_inverse(stream_.get(), bins_.data(), samples_.data()), "running the first frames");
    device_.require(forward_->launch(stream_.get()), "running the first frames");
    device_.require(inverse_->launch(stream_.get()), "running the first frames");
    device_.require(cudaStreamSynchronize(stream_.get()), "running the first frames");
    scope_.reset();
  }

  Status forward(const float* samples, float* bins) noexcept override {
    return run(*forward_, samples_, samples, bins_, bins);
  }

  Status inverse(float* bins, float* samples) noexcept override {
    return run(*inverse_, bins_, bins, samples_, samples);
  }

  Status enqueue_forward(Queue& queue, const float* samples, float* bins) noexcept override {
    return ringwave::cuda::submit(device_, queue, [this, samples, bins](cudaStream_t stream) noexcept {
      return launch_forward(stream, samples, bins);
    });
  }

  Status enqueue_inverse(Queue& queue, float* bins, float* samples) noexcept override {
    return ringwave::cuda::submit(device_, queue, [this, samples, bins](cudaStream_t stream) noexcept {
      return launch_inverse(stream, bins, samples);
    });
  }

 private:
  using Array = ringwave::cuda::DeviceArray<float>;

  cudaError_t launch_forward(cudaStream_t stream, const float* samples, float* bins) noexcept {
    if (!fused_) return pieces_.forward(stream, samples, analysis_.data(), bins);
    return transform_frames(stream, grid_, channels_, samples, analysis_.data(), roots_.data(),
                            reinterpret_cast<float2*>(bins));
  }

  cudaError_t launch_inverse(cudaStream_t stream, const float* bins, float* samples) noexcept {
    return pieces_.inverse(stream, bins, synthesis_.data(), scale_, samples);
  }

  Status run(const ringwave::cuda::CapturedWork& work, const Array& in, const float* from, const Array& out,
             float* to) noexcept {
    if (device_.lost()) return Status::device_lost;
    const ringwave::cuda::DeviceScope scope(device_.index());
    const cudaStream_t stream = stream_.get();
    cudaError_t error = cudaSuccess;
    for (std::size_t at = 0; at < in.size() && error == cudaSuccess; at += staged_.size()) {
      const std::size_t count = std::min(staged_.size(), in.size() - at);
      if (at != 0) error = wait();  // until the part before has left the staging memory
      std::copy_n(from + at, count, staged_.data());
      if (error == cudaSuccess)
        error = cudaMemcpyAsync(in.data() + at, staged_.data(), count * sizeof(float), cudaMemcpyHostToDevice,
                                stream);
    }
    if (error == cudaSuccess) error = work.launch(stream);
    for (std::size_t at = 0; at < out.size() && error == cudaSuccess; at += staged_.size()) {
      const std::size_t count = std::min(staged_.size(), out.size() - at);
      error = cudaMemcpyAsync(staged_.data(), out.data() + at, count * sizeof(float), cudaMemcpyDeviceToHost,
                              stream);
      if (error == cudaSuccess) error = wait();
      if (error == cudaSuccess) std::copy_n(staged_.data(), count, to + at);
    }
    return error == cudaSuccess ? Status::ok : device_.note(error);
  }

  cudaError_t wait() noexcept {
    const cudaError_t error = done_.raise_in(stream_.get());
    return error == cudaSuccess ? done_.wait(stream_.get()) : error;
  }

  ringwave::cuda::CudaRuntime& device_;
  std::optional<ringwave::cuda::DeviceScope> scope_;  // while the members below are made
  int channels_;
  StftGrid grid_;
  bool fused_;
  float scale_;
  Array analysis_;
  Array synthesis_;
  ringwave::cuda::DeviceArray<float2> roots_;
  Pieces pieces_;
  Array samples_;
  Array bins_;
  ringwave::cuda::PinnedArray<float> staged_;
  ringwave::cuda::Stream stream_;
  ringwave::cuda::CompletionFlag done_;
  std::optional<ringwave::cuda::CapturedWork> forward_;
  std::optional<ringwave::cuda::CapturedWork> inverse_;
};

}  // namespace

std::unique_ptr<TransformTwin> make_stft_cuda(Device device, const Stft::Request& request) {
  if (device.lost())
    throw DeviceLost(device.name() + " has failed earlier in this process; prepare on another device");
  return std::make_unique<StftCuda>(device, request);
}

bool stft_cuda_supports(Device /*device*/, const Stft::Request& /*request*/) noexcept {
  return ringwave::cuda::CufftPlan::available();
}

}  // namespace ringwave::dsp
