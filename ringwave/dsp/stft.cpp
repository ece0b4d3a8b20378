// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/stft.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "ringwave/backend/prepare.hpp"
#include "ringwave/backend/trial_memory.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/dsp/stft_twins.hpp"

namespace ringwave::dsp {
namespace {

constexpr int kMostPoints = 1 << 26;
constexpr int kMostChannels = 32768;
constexpr int kMostSamples = 1 << 30;
constexpr std::int64_t kMostBins = std::int64_t{1} << 36;  // half a terabyte

void check(const Stft::Spec& spec) {
  const auto refuse = [&](const std::string& use) {
    throw InvalidArgument("stft was asked for frames of " + std::to_string(spec.size) + " points, " +
                          std::to_string(spec.hop) + " apart, of " + std::to_string(spec.channels) +
                          " channels of " + std::to_string(spec.samples) + " samples; use " + use);
  };
  if (spec.size < 1 || spec.size > kMostPoints) refuse("1 to 2^26 points");
  if (spec.hop < 1 || spec.hop > kMostPoints) refuse("a hop of 1 to 2^26 samples");
  if (spec.channels < 1 || spec.channels > kMostChannels) refuse("1 to 32768 channels");
  if (spec.samples < 1 || spec.samples > kMostSamples) refuse("1 to 2^30 samples");
  if (spec.padding == Stft::Padding::reflect && spec.samples <= spec.size / 2)
    refuse("more samples than half a frame, or pad with zeros: there is nothing to reflect");
  if (spec.padding == Stft::Padding::none && spec.samples < spec.size)
    refuse("at least as many samples as points, or padding");
  if (std::int64_t{spec.channels} * grid_of(spec).frames * (spec.size / 2 + 1) > kMostBins)
    refuse("a larger hop, or fewer samples at a time: these are more than 2^36 bins");
}

float* floats(Complex* complex) noexcept {
  return reinterpret_cast<float*>(complex);
}

/// Frames of noise, forward.
class StftTrial final : public backend::Trial {
 public:
  StftTrial(Device device, int size, int frames)
      : stft_(device, spec_of(size, frames)),
        memory_(stft_.sample_count() + 1024 + 2 * stft_.total_bins()),
        samples_(memory_.samples().first(stft_.sample_count())),
        bins_(reinterpret_cast<Complex*>(memory_.samples().data() + (samples_.size() + 1023) / 512 * 512),
              stft_.total_bins()) {
    backend::fill_with_noise(samples_);
  }
  Status run() noexcept override { return stft_.forward(samples_, bins_); }

 private:
  static Stft::Spec spec_of(int size, int frames) {
    const int hop = std::max(1, size / 4);
    return {.size = size, .hop = hop, .padding = Stft::Padding::none, .samples = size + (frames - 1) * hop};
  }

  Stft stft_;
  backend::TrialMemory memory_;
  std::span<float> samples_;
  std::span<Complex> bins_;
};

}  // namespace

StftGrid grid_of(const Stft::Spec& spec) noexcept {
  const int pad = spec.padding == Stft::Padding::none ? 0 : spec.size / 2;
  const std::int64_t span = std::int64_t{spec.samples} + 2 * pad - spec.size;
  return {.size = spec.size,
          .hop = spec.hop,
          .pad = pad,
          .samples = spec.samples,
          .frames = static_cast<int>(span / spec.hop) + 1,
          .reflect = spec.padding == Stft::Padding::reflect};
}

StftWeights::StftWeights(const Stft::Spec& spec) {
  const std::vector<double> window = window_values(spec.window, spec.size);
  double scale = 1;
  if (spec.scaling == Stft::Scaling::unitary) scale = 1 / std::sqrt(static_cast<double>(spec.size));
  if (spec.scaling == Stft::Scaling::amplitude)
    scale = 1 / std::accumulate(window.begin(), window.end(), 0.0);
  for (const double value : window) {
    analysis.push_back(static_cast<float>(value * scale));
    synthesis.push_back(static_cast<float>(value));
  }
  inverse_scale = static_cast<float>(1 / (scale * spec.size));
}

Stft::Stft(Device device, const Spec& spec) : spec_(spec), frame_count_(0) {
  check(spec);
  frame_count_ = grid_of(spec).frames;
  auto prepared =
      backend::prepare<Stft>(device, {std::string(kName), spec_.size, frame_count_ * spec_.channels}, spec_);
  device_ = prepared.device;
  twin_ = std::move(prepared.twin);
}

Stft::~Stft() = default;
Stft::Stft(Stft&&) noexcept = default;
Stft& Stft::operator=(Stft&&) noexcept = default;

Status Stft::forward(std::span<const float> samples, std::span<Complex> bins) noexcept {
  const trace::Span span("stft");
  if (samples.size() < sample_count() || bins.size() < total_bins()) return Status::wrong_shape;
  return twin_->forward(samples.data(), floats(bins.data()));
}

Status Stft::inverse(std::span<Complex> bins, std::span<float> samples) noexcept {
  const trace::Span span("stft inverse");
  if (samples.size() < sample_count() || bins.size() < total_bins()) return Status::wrong_shape;
  return twin_->inverse(floats(bins.data()), samples.data());
}

Status Stft::enqueue_forward(Queue& queue, const float* samples, Complex* bins) noexcept {
  return twin_->enqueue_forward(queue, samples, floats(bins));
}

Status Stft::enqueue_inverse(Queue& queue, Complex* bins, float* samples) noexcept {
  return twin_->enqueue_inverse(queue, floats(bins), samples);
}

std::size_t Stft::sample_count() const noexcept {
  return static_cast<std::size_t>(spec_.channels) * static_cast<std::size_t>(spec_.samples);
}

std::size_t Stft::total_bins() const noexcept {
  return static_cast<std::size_t>(spec_.channels) * static_cast<std::size_t>(frame_count_) *
         static_cast<std::size_t>(bin_count());
}

backend::OpInfo Stft::info() {
  return {.name = std::string(kName),
          .summary = "short-time Fourier transforms of whole signals",
          .sizes = {256, 1024, 4096, 16384},
          .batches = {1, 8, 64, 512},
          .make_trial = [](Device device, int size, int batch) -> std::unique_ptr<backend::Trial> {
            return std::make_unique<StftTrial>(device, size, batch);
          }};
}

}  // namespace ringwave::dsp
