// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/resampler.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/backend/prepare.hpp"
#include "ringwave/backend/trial_memory.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/dsp/resampler_twins.hpp"

namespace ringwave::dsp {
namespace {

constexpr int kMostRatio = 1 << 20;  // a product with a frame's number fits 64 bits

struct Ratio {
  int up;
  int down;
};

std::int64_t frames_out(std::int64_t frames, Ratio ratio) noexcept {
  return (frames * ratio.up + ratio.down - 1) / ratio.down;
}

Ratio checked_ratio(const Resampler::Spec& spec) {
  const std::string asked =
      "a resampler from " + std::to_string(spec.from_hz) + " to " + std::to_string(spec.to_hz) + " Hz ";
  if (spec.from_hz < 1 || spec.to_hz < 1)
    throw InvalidArgument(asked + "was asked for; use rates from 1 Hz on");
  const int common = std::gcd(spec.from_hz, spec.to_hz);
  const Ratio ratio{spec.to_hz / common, spec.from_hz / common};
  if (ratio.up > kMostRatio || ratio.down > kMostRatio)
    throw InvalidArgument(asked + "was asked for, a ratio of " + std::to_string(ratio.up) + " to " +
                          std::to_string(ratio.down) + "; use numbers up to " + std::to_string(kMostRatio));
  if (frames_out(spec.max_frames, ratio) > backend::kMostBlockFrames)
    throw InvalidArgument(asked + "was asked for that makes " +
                          std::to_string(frames_out(spec.max_frames, ratio)) +
                          " frames at a time; use at most " + std::to_string(backend::kMostBlockFrames));
  return ratio;
}

void require_length(std::int64_t taps, Ratio ratio) {
  // Each phase is rounded up to whole vectors.
  const std::int64_t row = taps / ratio.up + 16;
  if (row * ratio.up > Resampler::kMostCoefficients)
    throw InvalidArgument("a resampler by " + std::to_string(ratio.up) + "/" + std::to_string(ratio.down) +
                          " would have " + std::to_string(row * ratio.up) + " coefficients; use at most " +
                          std::to_string(Resampler::kMostCoefficients) + ", or a RateConverter");
}

void require_taps(std::span<const double> taps) {
  if (taps.size() % 2 == 0)
    throw InvalidArgument("a resampler was given a filter of " + std::to_string(taps.size()) +
                          " taps; use an odd number, so that there is a middle one");
  const auto bad = std::ranges::find_if_not(taps, [](double tap) { return std::isfinite(tap); });
  if (bad != taps.end())
    throw InvalidArgument("tap " + std::to_string(bad - taps.begin()) + " of a resampler is not finite");
}

/// Whole signals of noise.
class ResamplerTrial final : public backend::Trial {
 public:
  ResamplerTrial(Device device, int size, int batch)
      : op_(device, {.channels = batch, .max_frames = size}),
        frames_in_(size),
        frames_out_(op_.output_frames(size)),
        channels_(batch),
        memory_(static_cast<std::size_t>(batch) * static_cast<std::size_t>(frames_in_ + frames_out_)) {
    backend::fill_with_noise(memory_.samples());
  }
  Status run() noexcept override {
    float* const in = memory_.samples().data();
    float* const out = in + static_cast<std::ptrdiff_t>(channels_) * frames_in_;
    return op_.process({in, channels_, frames_in_}, {out, channels_, frames_out_});
  }

 private:
  Resampler op_;
  int frames_in_;
  int frames_out_;
  int channels_;
  backend::TrialMemory memory_;
};

}  // namespace

PolyphaseFilter::PolyphaseFilter(const Resampler::Request& request, int row_multiple)
    : up_(request.up),
      down_(request.down),
      middle_(static_cast<std::int64_t>(request.taps.size()) / 2),
      taps_(static_cast<int>((static_cast<std::int64_t>(request.taps.size()) + up_ - 1) / up_)),
      row_floats_((taps_ + row_multiple - 1) / row_multiple * row_multiple),
      run_(request.spec.quality == ResamplerQuality::finest ? kFinestResamplerRun : kResamplerRun),
      rows_(static_cast<std::size_t>(up_) * static_cast<std::size_t>(row_floats_)) {
  const auto size = static_cast<std::int64_t>(request.taps.size());
  for (std::int64_t slot = 0; slot < up_; ++slot) {
    const std::int64_t phase = (slot * down_ + middle_) % up_;
    float* const row = rows_.data() + slot * row_floats_;
    for (std::int64_t i = 0; i < taps_; ++i) {
      const std::int64_t k = phase + (taps_ - 1 - i) * up_;
      row[i] = k < size ? static_cast<float>(request.taps[static_cast<std::size_t>(k)]) : 0.0F;
    }
  }
}

Resampler::Resampler(Device device, const Spec& spec) : Resampler(device, spec, {}) {}

Resampler::Resampler(Device device, const Spec& spec, std::span<const double> taps) : spec_(spec) {
  backend::require_shape(kName, spec.channels, spec.max_frames);
  const Ratio ratio = checked_ratio(spec);
  Request request{spec, ratio.up, ratio.down, {taps.begin(), taps.end()}};
  if (taps.data() == nullptr) {
    // Before the design: a filter that is too long is not worth waiting for.
    require_length(resampler_filter_taps(ratio.up, ratio.down, spec.quality), ratio);
    request.taps = resampler_filter(ratio.up, ratio.down, spec.quality);
  }
  require_taps(request.taps);
  require_length(static_cast<std::int64_t>(request.taps.size()), ratio);
  up_ = ratio.up;
  down_ = ratio.down;
  auto prepared =
      backend::prepare<Resampler>(device, {std::string(kName), spec.max_frames, spec.channels}, request);
  device_ = prepared.device;
  twin_ = std::move(prepared.twin);
}

Resampler::~Resampler() = default;
Resampler::Resampler(Resampler&&) noexcept = default;
Resampler& Resampler::operator=(Resampler&&) noexcept = default;

bool Resampler::fits(BlockView<const float> in, BlockView<float> out) const noexcept {
  return in.channels() == spec_.channels && out.channels() == spec_.channels && in.frames() >= 0 &&
         in.frames() <= spec_.max_frames && out.frames() == output_frames(in.frames());
}

Status Resampler::process(BlockView<const float> in, BlockView<float> out) noexcept {
  const trace::Span span("resampler");
  Status status = fits(in, out) ? Status::ok : Status::wrong_shape;
  if (status == Status::ok && !in.empty()) status = twin_->process(in, out);
  if (status != Status::ok) backend::silence(out);
  return status;
}

Status Resampler::enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept {
  if (!fits(in, out)) return Status::wrong_shape;
  return in.empty() ? Status::ok : twin_->enqueue(queue, in, out);
}

int Resampler::output_frames(int frames) const noexcept {
  return static_cast<int>(frames_out(frames, {up_, down_}));
}

backend::OpInfo Resampler::info() {
  return {.name = std::string(kName),
          .summary = "whole signals from 48 to 44.1 kHz",
          .sizes = {256, 1024, 4096, 16384, 65536, 262144},
          .batches = {1, 8, 64},
          .make_trial = [](Device device, int size, int batch) -> std::unique_ptr<backend::Trial> {
            return std::make_unique<ResamplerTrial>(device, size, batch);
          }};
}

}  // namespace ringwave::dsp
