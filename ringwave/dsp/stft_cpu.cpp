// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ringwave/core/aligned_floats.hpp"
#include "ringwave/dsp/stft_twins.hpp"

namespace ringwave::dsp {
namespace {

class StftCpu final : public CpuTransformTwin {
 public:
  explicit StftCpu(const Stft::Spec& spec)
      : channels_(spec.channels),
        bins_(spec.size / 2 + 1),
        grid_(grid_of(spec)),
        weights_(spec),
        fft_(Device::cpu(), {.size = spec.size, .scaling = Fft::Scaling::none}),
        memory_(static_cast<std::size_t>(spec.size)),
        frame_(memory_.data(), memory_.size()),
        gains_(gains_of(grid_, weights_)) {}

  Status forward(const float* samples, float* bins) noexcept override {
    for (int channel = 0; channel < channels_; ++channel)
      for (int frame = 0; frame < grid_.frames; ++frame) {
        cut_out(samples + channel * std::ptrdiff_t{grid_.samples}, grid_.start_of(frame));
        (void)fft_.forward(frame_, bins_of(bins, channel, frame));
      }
    return Status::ok;
  }

  Status inverse(float* bins, float* samples) noexcept override {
    for (int channel = 0; channel < channels_; ++channel) {
      float* const out = samples + channel * std::ptrdiff_t{grid_.samples};
      std::fill_n(out, grid_.samples, 0.0F);
      for (int frame = 0; frame < grid_.frames; ++frame) {
        (void)fft_.inverse(bins_of(bins, channel, frame), frame_);
        add(out, grid_.start_of(frame));
      }
      for (std::size_t n = 0; n < gains_.size(); ++n) out[n] *= gains_[n];
    }
    return Status::ok;
  }

 private:
  [[nodiscard]] std::span<Complex> bins_of(float* bins, int channel, int frame) const noexcept {
    const std::ptrdiff_t row = channel * std::ptrdiff_t{grid_.frames} + frame;
    return {reinterpret_cast<Complex*>(bins) + row * bins_, static_cast<std::size_t>(bins_)};
  }

  /// The windowed frame that begins at `start`, into `frame_`.
  void cut_out(const float* samples, int start) noexcept {
    const float* const window = weights_.analysis.data();
    float* const to = frame_.data();
    if (grid_.is_inside(start)) {
      for (int n = 0; n < grid_.size; ++n) to[n] = samples[start + n] * window[n];
      return;
    }
    for (int n = 0; n < grid_.size; ++n) {
      const int source = grid_.source_of(start + n);
      to[n] = source < 0 ? 0.0F : samples[source] * window[n];
    }
  }

  /// The points of a frame from `first` to `end` that are inside the signal.
  struct Part {
    Part(const StftGrid& grid, int start) noexcept
        : first(std::clamp(-start, 0, grid.size)), end(std::clamp(grid.samples - start, first, grid.size)) {}
    int first;
    int end;
  };

  /// `frame_` through the window into its place.
  void add(float* out, int start) const noexcept {
    const Part part(grid_, start);
    const float* const window = weights_.synthesis.data();
    const float* const from = frame_.data();
    for (int n = part.first; n < part.end; ++n) out[start + n] += from[n] * window[n];
  }

  /// What each sample's sum is multiplied by.
  static std::vector<float> gains_of(const StftGrid& grid, const StftWeights& weights) {
    std::vector<float> gains(static_cast<std::size_t>(grid.samples));
    for (int frame = 0; frame < grid.frames; ++frame) {
      const int start = grid.start_of(frame);
      const Part part(grid, start);
      for (int n = part.first; n < part.end; ++n) {
        const float weight = weights.synthesis[static_cast<std::size_t>(n)];
        gains[static_cast<std::size_t>(std::ptrdiff_t{start} + n)] += weight * weight;
      }
    }
    for (float& gain : gains) gain = gain > kLeastStftWeight ? weights.inverse_scale / gain : 0.0F;
    return gains;
  }

  int channels_;
  int bins_;
  StftGrid grid_;
  StftWeights weights_;
  Fft fft_;
  AlignedFloats memory_;
  std::span<float> frame_;
  std::vector<float> gains_;
};

}  // namespace

std::unique_ptr<TransformTwin> make_stft_cpu(Device /*device*/, const Stft::Request& request) {
  return std::make_unique<StftCpu>(request);
}

}  // namespace ringwave::dsp
