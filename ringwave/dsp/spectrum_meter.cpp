// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/spectrum_meter.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

constexpr double kMostSeconds = 3600;

SpectrumMeter::Spec checked(SpectrumMeter::Spec spec) {
  if (spec.channels < 1 || spec.channels > SpectrumMeter::kMostChannels || spec.sample_rate_hz < 1)
    throw InvalidArgument("a spectrum meter was asked for with " + std::to_string(spec.channels) +
                          " channels at " + std::to_string(spec.sample_rate_hz) + " Hz; use 1 to " +
                          std::to_string(SpectrumMeter::kMostChannels) + " channels at 1 Hz or more");
  if (spec.hop < 0 || spec.hop > spec.size)
    throw InvalidArgument("a spectrum meter was asked for with a hop of " + std::to_string(spec.hop) +
                          " frames and a size of " + std::to_string(spec.size) +
                          "; use a hop up to the size, or 0 for a quarter of it");
  const auto is_time = [](double seconds) { return seconds >= 0 && seconds <= kMostSeconds; };
  if (!is_time(spec.averaging_s) || !is_time(spec.hold_s) || !(spec.fall_db_per_s >= 0))
    throw InvalidArgument("a spectrum meter was asked for with an averaging of " +
                          std::to_string(spec.averaging_s) + " s, a hold of " + std::to_string(spec.hold_s) +
                          " s and a fall of " + std::to_string(spec.fall_db_per_s) +
                          " dB/s; use 0 to 3600 s and 0 dB/s or more");
  for (const FrequencyBand& band : spec.bands)
    if (!(band.low_hz >= 0 && band.high_hz > band.low_hz))
      throw InvalidArgument("a spectrum meter was asked for with a band from " + std::to_string(band.low_hz) +
                            " to " + std::to_string(band.high_hz) + " Hz; the lower edge comes first");
  if (spec.hop == 0) spec.hop = spec.size / 4;
  return spec;
}

/// The share of a step by which an average of so many seconds goes on.
double smoothing_of(double step_s, double averaging_s) {
  return averaging_s > 0 ? -std::expm1(-step_s / averaging_s) : 1;
}

}  // namespace

SpectrumMeter::SpectrumMeter(const Spec& spec)
    : spec_(checked(spec)),
      spectrum_({}, spec_.size),
      smoothing_(smoothing_of(static_cast<double>(spec_.hop) / spec_.sample_rate_hz, spec_.averaging_s)),
      fall_(static_cast<float>(std::pow(10, -spec_.fall_db_per_s * spec_.hop / spec_.sample_rate_hz / 10))),
      hold_hops_(
          static_cast<int>(std::min(1e9, std::round(spec_.hold_s * spec_.sample_rate_hz / spec_.hop)))),
      history_(static_cast<std::size_t>(spec_.channels) * static_cast<std::size_t>(spec_.size)),
      until_hop_(spec_.hop),
      needles_(static_cast<std::size_t>(spec_.channels) * needles_per_channel()),
      powers_(std::vector<float>(2 * needles_.size())),
      levels_db_(2 * needles_.size(), kFloorDb) {
  for (const FrequencyBand& band : spec_.bands) parts_.push_back(part_of(band));
}

Status SpectrumMeter::process(BlockView<const float> block) noexcept {
  if (block.channels() != spec_.channels || block.frames() < 0) return Status::wrong_shape;
  const FlushSubnormals flush;
  std::uint64_t nonfinite = 0;
  const auto size = static_cast<std::size_t>(spec_.size);
  for (int begin = 0; begin < block.frames();) {
    const int room = static_cast<int>(size - position_);
    const int count = std::min({block.frames() - begin, until_hop_, room});
    for (int channel = 0; channel < spec_.channels; ++channel) {
      float* const to = history_.data() + static_cast<std::size_t>(channel) * size + position_;
      std::ranges::transform(block.slice(begin, count).channel(channel), to,
                             [&](float sample) { return PowerSpectrum::tamed(sample, nonfinite); });
    }
    begin += count;
    position_ = (position_ + static_cast<std::size_t>(count)) % size;
    until_hop_ -= count;
    if (until_hop_ > 0) continue;
    for (int channel = 0; channel < spec_.channels; ++channel) analyse(channel);
    publish();
    until_hop_ = spec_.hop;
  }
  nonfinite_.fetch_add(nonfinite, std::memory_order_relaxed);
  return Status::ok;
}

void SpectrumMeter::reset() noexcept {
  std::ranges::fill(history_, 0.0F);
  std::ranges::fill(needles_, Needle{});
  until_hop_ = spec_.hop;
  publish();
}

bool SpectrumMeter::update() noexcept {
  if (!powers_.update()) return false;
  std::ranges::transform(powers_.read_slot(), levels_db_.begin(), PowerSpectrum::to_db);
  return true;
}

std::span<const float> SpectrumMeter::bin_levels_db(int channel) const noexcept {
  return shown(channel, false, false);
}

std::span<const float> SpectrumMeter::bin_peaks_db(int channel) const noexcept {
  return shown(channel, true, false);
}

std::span<const float> SpectrumMeter::band_levels_db(int channel) const noexcept {
  return shown(channel, false, true);
}

std::span<const float> SpectrumMeter::band_peaks_db(int channel) const noexcept {
  return shown(channel, true, true);
}

double SpectrumMeter::bin_hz(int bin) const noexcept {
  return static_cast<double>(bin) * spec_.sample_rate_hz / spec_.size;
}

/// Bin k reaches from k - 1/2 to k + 1/2; what is beyond the first and the last bin is nothing.
SpectrumMeter::Part SpectrumMeter::part_of(const FrequencyBand& band) const noexcept {
  const double bin_width_hz = bin_hz(1);
  const double end = spectrum_.bin_count();
  const double low = std::min(band.low_hz / bin_width_hz + 0.5, end);
  const double high = std::min(band.high_hz / bin_width_hz + 0.5, end);
  const int first = static_cast<int>(std::floor(low));
  const int last = static_cast<int>(std::ceil(high)) - 1;
  if (last < first) return {};
  const double bins = spectrum_.noise_bandwidth_bins();
  return {.first = static_cast<std::size_t>(first),
          .count = static_cast<std::size_t>(last) - static_cast<std::size_t>(first) + 1,
          .first_weight = static_cast<float>((std::min(high, first + 1.0) - low) / bins),
          .last_weight = static_cast<float>((high - last) / bins)};
}

std::size_t SpectrumMeter::needles_per_channel() const noexcept {
  return static_cast<std::size_t>(spectrum_.bin_count()) + spec_.bands.size();
}

std::span<const float> SpectrumMeter::shown(int channel, bool peak, bool band) const noexcept {
  if (channel < 0 || channel >= spec_.channels) return {};
  const auto bins = static_cast<std::size_t>(spectrum_.bin_count());
  const std::size_t first =
      (peak ? needles_.size() : 0) + static_cast<std::size_t>(channel) * needles_per_channel();
  return std::span(levels_db_).subspan(band ? first + bins : first, band ? parts_.size() : bins);
}

void SpectrumMeter::analyse(int channel) noexcept {
  const auto size = static_cast<std::size_t>(spec_.size);
  const std::span ring = std::span(history_).subspan(static_cast<std::size_t>(channel) * size, size);
  const std::span<const float> powers = spectrum_.of(ring.subspan(position_), ring.first(position_));
  Needle* needle = needles_.data() + static_cast<std::size_t>(channel) * needles_per_channel();
  for (const float power : powers) follow(*needle++, power);
  const float whole = static_cast<float>(1 / spectrum_.noise_bandwidth_bins());
  for (const Part& part : parts_) {
    float sum = 0;
    for (std::size_t i = 0; i < part.count; ++i) {
      const float weight = i == 0 ? part.first_weight : i + 1 == part.count ? part.last_weight : whole;
      sum += weight * powers[part.first + i];
    }
    follow(*needle++, sum);
  }
}

void SpectrumMeter::follow(Needle& needle, float power) const noexcept {
  needle.average += smoothing_ * (static_cast<double>(power) - needle.average);
  if (power >= needle.peak) {
    needle.peak = power;
    needle.held_hops = 0;
  } else if (needle.held_hops < hold_hops_) {
    ++needle.held_hops;
  } else {
    needle.peak = std::max(power, needle.peak * fall_);
  }
}

void SpectrumMeter::publish() noexcept {
  std::vector<float>& powers = powers_.write_slot();
  for (std::size_t i = 0; i < needles_.size(); ++i) {
    powers[i] = static_cast<float>(needles_[i].average);
    powers[needles_.size() + i] = needles_[i].peak;
  }
  powers_.publish();
}

}  // namespace ringwave::dsp
