// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/power_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <string>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

void require_even(int points) {
  if (points < PowerSpectrum::kLeastSize || points > PowerSpectrum::kMostSize || points % 2 != 0)
    throw InvalidArgument(
        "a spectrum of " + std::to_string(points) + " points was asked for; use an even number from " +
        std::to_string(PowerSpectrum::kLeastSize) + " to " + std::to_string(PowerSpectrum::kMostSize));
}

/// The points of a transform of frames of so many samples.
int checked(int size, int points) {
  require_even(size);
  require_even(points);
  if (points < size)
    throw InvalidArgument("a spectrum of " + std::to_string(points) + " points was asked for frames of " +
                          std::to_string(size) + " samples; use at least as many points");
  return points;
}

}  // namespace

PowerSpectrum::PowerSpectrum(const Window& window, int size, int points)
    : noise_bandwidth_bins_(1),
      fft_(Device::cpu(), {.size = checked(size, points), .scaling = Fft::Scaling::none}),
      frame_(static_cast<std::size_t>(points)),
      bins_(2 * static_cast<std::size_t>(fft_.bin_count())),
      powers_(static_cast<std::size_t>(fft_.bin_count())) {
  const std::vector<double> values = window_values(window, size);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  const double squares = std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
  noise_bandwidth_bins_ = points * squares / (sum * sum);
  for (const double value : values) window_.push_back(static_cast<float>(2 / sum * value));
}

std::span<const float> PowerSpectrum::of(std::span<const float> older,
                                         std::span<const float> newer) noexcept {
  const FlushSubnormals flush;
  const std::size_t split = older.size();
  for (std::size_t n = 0; n < split; ++n) frame_.data()[n] = window_[n] * older[n];
  for (std::size_t n = 0; n < newer.size(); ++n) frame_.data()[split + n] = window_[split + n] * newer[n];
  const std::span bins(reinterpret_cast<Complex*>(bins_.data()), powers_.size());
  (void)fft_.forward(std::span<const float>(frame_.data(), frame_.size()), bins);
  std::ranges::transform(bins, powers_.begin(), [](Complex bin) { return std::norm(bin); });
  powers_.front() *= 0.25F;
  powers_.back() *= 0.25F;
  return powers_;
}

float PowerSpectrum::to_db(double power) noexcept {
  return power > 0 ? std::max(kFloorDb, static_cast<float>(10 * std::log10(power))) : kFloorDb;
}

float PowerSpectrum::tamed(float sample, std::uint64_t& nonfinite) noexcept {
  if (backend::is_nonfinite(sample) != 0) {
    ++nonfinite;
    return 0.0F;
  }
  return std::clamp(sample, -kLoudest, kLoudest);
}

}  // namespace ringwave::dsp
