// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/stft_stream.hpp"

#include <algorithm>
#include <string>

#include "ringwave/core/error.hpp"
#include "ringwave/dsp/overlap.hpp"

namespace ringwave::dsp {
namespace {

constexpr int kMostPoints = 1 << 20;  // twenty seconds
constexpr int kMostChannels = 1024;

StftStream::Spec checked(const StftStream::Spec& spec) {
  const auto refuse = [&](const std::string& use) {
    throw InvalidArgument("a running stft of " + std::to_string(spec.channels) +
                          " channels with spectra of " + std::to_string(spec.size) + " points, " +
                          std::to_string(spec.hop) + " frames apart, was asked for; use " + use);
  };
  if (spec.channels < 1 || spec.channels > kMostChannels) refuse("1 to 1024 channels");
  if (spec.size < 2 || spec.size > kMostPoints) refuse("2 to 2^20 points");
  if (spec.hop < 1 || spec.hop > spec.size) refuse("a hop of 1 frame to the size");
  const Overlap overlap = grade_overlap(spec.window, spec.size, spec.hop);
  if (overlap.grade == Overlap::Grade::lost)
    refuse("a shorter hop" +
           (overlap.suggested_hops.empty()
                ? std::string()
                : ", for example " + std::to_string(overlap.suggested_hops.front())) +
           ": this one loses samples");
  return spec;
}

std::size_t size_of(const StftStream::Spec& spec) {
  return static_cast<std::size_t>(spec.channels) * static_cast<std::size_t>(spec.size);
}

}  // namespace

StftStream::StftStream(Device device, const Spec& spec)
    : spec_(checked(spec)),
      fft_(device, {.size = spec.size, .batch = spec.channels}),
      frames_(size_of(spec)),
      bins_(fft_.bin_extent()),
      past_(size_of(spec)),
      sums_(size_of(spec)) {
  const std::vector<double> window = window_values(spec.window, spec.size);
  const auto hop = static_cast<std::size_t>(spec.hop);
  for (std::size_t n = 0; n < window.size(); ++n) {
    double squares = 0;
    for (std::size_t other = n % hop; other < window.size(); other += hop)
      squares += window[other] * window[other];
    analysis_.push_back(static_cast<float>(window[n]));
    synthesis_.push_back(static_cast<float>(window[n] / squares));
  }
}

bool StftStream::fits(BlockView<const float> in, BlockView<float> out) const noexcept {
  return in.channels() == spec_.channels && out.channels() == spec_.channels && in.frames() == out.frames();
}

int StftStream::exchange(BlockView<const float> in, BlockView<float> out, int first) noexcept {
  if (is_due()) since_spectrum_ = 0;
  const int count =
      std::min({in.frames() - first, spec_.hop - since_spectrum_, spec_.size - place_});  // to the ring's end
  for (int channel = 0; channel < spec_.channels; ++channel) {
    const std::ptrdiff_t at = channel * std::ptrdiff_t{spec_.size} + place_;
    std::copy_n(in.channel(channel).data() + first, count, past_.data() + at);
    std::copy_n(sums_.data() + at, count, out.channel(channel).data() + first);
    std::fill_n(sums_.data() + at, count, 0.0F);
  }
  place_ = (place_ + count) % spec_.size;
  since_spectrum_ += count;
  return count;
}

Status StftStream::analyse() noexcept {
  const int older = spec_.size - place_;  // from `place_` on, before those at the ring's begin
  for (int channel = 0; channel < spec_.channels; ++channel) {
    const std::ptrdiff_t at = channel * std::ptrdiff_t{spec_.size};
    const float* const ring = past_.data() + at;
    float* const frame = frames_.data() + at;
    for (int n = 0; n < older; ++n) frame[n] = ring[place_ + n] * analysis_[static_cast<std::size_t>(n)];
    for (int n = older; n < spec_.size; ++n)
      frame[n] = ring[n - older] * analysis_[static_cast<std::size_t>(n)];
  }
  return fft_.forward(std::span<const float>(frames_.data(), frames_.size()), bins_);
}

Status StftStream::synthesise() noexcept {
  const Status status = fft_.inverse(bins_, std::span<float>(frames_.data(), frames_.size()));
  const int older = spec_.size - place_;
  for (int channel = 0; channel < spec_.channels; ++channel) {
    const std::ptrdiff_t at = channel * std::ptrdiff_t{spec_.size};
    float* const ring = sums_.data() + at;
    const float* const frame = frames_.data() + at;
    for (int n = 0; n < older; ++n) ring[place_ + n] += frame[n] * synthesis_[static_cast<std::size_t>(n)];
    for (int n = older; n < spec_.size; ++n)
      ring[n - older] += frame[n] * synthesis_[static_cast<std::size_t>(n)];
  }
  return status;
}

void StftStream::reset() noexcept {
  std::fill(past_.begin(), past_.end(), 0.0F);
  std::fill(sums_.begin(), sums_.end(), 0.0F);
  place_ = 0;
  since_spectrum_ = 0;
}

}  // namespace ringwave::dsp
