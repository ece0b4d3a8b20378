// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/level_meter.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

void require(const LevelMeter::Spec& spec) {
  if (spec.channels < 1 || spec.channels > backend::kMostChannels || spec.sample_rate_hz < 1)
    throw InvalidArgument("a level meter was asked for with " + std::to_string(spec.channels) +
                          " channels at " + std::to_string(spec.sample_rate_hz) + " Hz; use 1 to " +
                          std::to_string(backend::kMostChannels) + " channels at 1 Hz or more");
  const auto is_positive = [](double value) { return value > 0 && std::isfinite(value); };
  if (!is_positive(spec.integration_s) || !is_positive(spec.fall_db_per_s))
    throw InvalidArgument("a level meter was asked for with an integration of " +
                          std::to_string(spec.integration_s) + " s and a fall of " +
                          std::to_string(spec.fall_db_per_s) + " dB/s; use more than 0");
}

}  // namespace

LevelMeter::LevelMeter(const Spec& spec) {
  require(spec);
  fall_ = std::pow(10.0, -spec.fall_db_per_s / spec.sample_rate_hz / 20);
  smoothing_ = -std::expm1(-1.0 / (spec.integration_s * spec.sample_rate_hz));
  channels_ = std::vector<Channel>(static_cast<std::size_t>(spec.channels));
}

Status LevelMeter::process(BlockView<const float> block) noexcept {
  if (block.channels() != static_cast<int>(channels_.size()) || block.frames() < 0)
    return Status::wrong_shape;
  std::uint64_t nonfinite = 0;
  for (int index = 0; index < block.channels(); ++index) {
    Channel& channel = channels_[static_cast<std::size_t>(index)];
    nonfinite += follow(channel, block.channel(index));
    channel.shown_peak.store(static_cast<float>(channel.peak), std::memory_order_relaxed);
    channel.shown_rms.store(static_cast<float>(std::sqrt(channel.square)), std::memory_order_relaxed);
    channel.shown_highest.store(channel.highest, std::memory_order_relaxed);
  }
  nonfinite_.fetch_add(nonfinite, std::memory_order_relaxed);
  return Status::ok;
}

LevelMeter::Level LevelMeter::level(int channel) const noexcept {
  if (channel < 0 || channel >= static_cast<int>(channels_.size())) return {};
  const Channel& of = channels_[static_cast<std::size_t>(channel)];
  return {of.shown_peak.load(std::memory_order_relaxed), of.shown_rms.load(std::memory_order_relaxed),
          of.shown_highest.load(std::memory_order_relaxed)};
}

void LevelMeter::reset() noexcept {
  for (Channel& channel : channels_) {
    channel.peak = channel.square = 0;
    channel.highest = 0;
    for (std::atomic<float>* shown : {&channel.shown_peak, &channel.shown_rms, &channel.shown_highest})
      shown->store(0, std::memory_order_relaxed);
  }
}

/// Follows one channel through a block; how many samples were no numbers.
std::uint64_t LevelMeter::follow(Channel& channel, std::span<const float> samples) const noexcept {
  const FlushSubnormals flush;
  std::uint64_t nonfinite = 0;
  for (const float sample : samples) {
    channel.peak *= fall_;
    if (backend::is_nonfinite(sample) != 0) {
      ++nonfinite;
      continue;
    }
    const double x = static_cast<double>(sample);
    channel.peak = std::max(channel.peak, std::abs(x));
    channel.highest = std::max(channel.highest, std::abs(sample));
    channel.square += smoothing_ * (x * x - channel.square);
  }
  return nonfinite;
}

}  // namespace ringwave::dsp
