// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/drift_resampler.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/window.hpp"

namespace ringwave::dsp {
namespace {

constexpr int kTaps = DriftResampler::kTaps;
constexpr double kHalf = 0.5 * kTaps;

/// A straight line between two phases is off by (w / 1024)^2 / 8 at the angular frequency w: -121 dB at 20
/// kHz of 48.
constexpr int kPhases = 1024;

/// Kaiser's formula: 47 steps over the way from 0.83 to 1.17 of Nyquist are 120 dB; the window is for 115.
constexpr double kBeta = 0.1102 * (115 - 8.7);

/// What the taps weigh at `distance` frames from the output.
double weight(double distance) {
  const double angle = std::numbers::pi * distance;
  return kaiser(distance / kHalf, kBeta) * (angle == 0 ? 1 : std::sin(angle) / angle);
}

/// Every phase sums to 1, so that what stands still stays where it is.
std::vector<float> make_bank() {
  std::vector<float> bank(static_cast<std::size_t>(kPhases + 1) * kTaps);
  for (std::size_t phase = 0; phase <= kPhases; ++phase) {
    std::array<double, kTaps> taps{};
    double sum = 0;
    for (int i = 0; i < kTaps; ++i) {
      const double output = kHalf - 1 + static_cast<double>(phase) / kPhases;  // among the taps
      taps[static_cast<std::size_t>(i)] = weight(i - output);
      sum += taps[static_cast<std::size_t>(i)];
    }
    for (std::size_t i = 0; i < kTaps; ++i) bank[phase * kTaps + i] = static_cast<float>(taps[i] / sum);
  }
  return bank;
}

/// Eight sums side by side, which a compiler turns into vectors; the order is always the same.
float dot(const float* taps, const float* x) noexcept {
  static_assert(kTaps % 8 == 0);
  float sums[8] = {};
  for (int i = 0; i < kTaps; i += 8)
    for (int j = 0; j < 8; ++j) sums[j] += taps[i + j] * x[i + j];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

void require(const DriftResampler::Spec& spec) {
  backend::require_shape("drift resampler", spec.channels, spec.max_block_frames);
  if (!(spec.range >= 0 && spec.range <= DriftResampler::kMostRange))
    throw InvalidArgument("a drift resampler was asked for with a range of " + std::to_string(spec.range) +
                          "; use 0 to " + std::to_string(DriftResampler::kMostRange));
}

/// Room for what is kept and what the longest block takes at the highest speed.
std::ptrdiff_t room(const DriftResampler::Spec& spec) {
  return 2 * kTaps + static_cast<std::ptrdiff_t>(std::ceil(spec.max_block_frames * (1 + spec.range)));
}

}  // namespace

DriftResampler::DriftResampler(const Spec& spec) : spec_((require(spec), spec)), line_frames_(room(spec)) {
  bank_ = make_bank();
  lines_.resize(static_cast<std::size_t>(spec.channels) * static_cast<std::size_t>(line_frames_));
}

void DriftResampler::Walk::next() noexcept {
  phase += speed;
  const auto whole =
      static_cast<int>(phase);  // taken out at once: however blocks are cut, the rest is the same
  frame += whole;
  phase -= whole;
  if (left == 0) return;
  --left;
  speed = left == 0 ? target : speed + change;
}

void DriftResampler::set_speed(double speed) noexcept {
  if (!std::isfinite(speed)) return;
  walk_.target = std::clamp(speed, 1 - spec_.range, 1 + spec_.range);
  walk_.left = kGlideFrames;
  walk_.change = (walk_.target - walk_.speed) / kGlideFrames;
}

int DriftResampler::needed(int output_frames) const noexcept {
  if (output_frames <= 0) return 0;
  Walk walk = walk_;  // the same steps as process() makes: to the last bit the same places
  for (int m = 1; m < std::min(output_frames, spec_.max_block_frames); ++m) walk.next();
  return std::max(0, walk.frame + kTaps - kept_);
}

void DriftResampler::interpolate(double phase) noexcept {
  const double place = phase * kPhases;
  const int below = std::min(static_cast<int>(place), kPhases - 1);
  const auto share = static_cast<float>(place - below);
  const float* const a = bank_.data() + static_cast<std::ptrdiff_t>(below) * kTaps;
  const float* const b = a + kTaps;
  for (std::size_t i = 0; i < kTaps; ++i) taps_[i] = a[i] + share * (b[i] - a[i]);
}

Status DriftResampler::process(BlockView<const float> in, BlockView<float> out) noexcept {
  if (in.channels() != spec_.channels || out.channels() != spec_.channels || out.frames() < 0 ||
      out.frames() > spec_.max_block_frames || in.frames() != needed(out.frames())) {
    backend::silence(out);
    return Status::wrong_shape;
  }
  if (out.frames() == 0) return Status::ok;
  const FlushSubnormals flush;
  for (int channel = 0; channel < spec_.channels; ++channel)
    std::ranges::copy(in.channel(channel), line(channel) + kept_);
  for (int m = 0; m < out.frames(); ++m) {
    interpolate(walk_.phase);
    for (int channel = 0; channel < spec_.channels; ++channel)
      out.channel(channel)[static_cast<std::size_t>(m)] = dot(taps_.data(), line(channel) + walk_.frame);
    walk_.next();
  }
  const int past = walk_.frame;
  const int there = kept_ + in.frames();
  kept_ = there - past;
  walk_.frame = 0;
  for (int channel = 0; channel < spec_.channels; ++channel)
    std::copy(line(channel) + past, line(channel) + there, line(channel));
  return Status::ok;
}

void DriftResampler::reset() noexcept {
  std::ranges::fill(lines_, 0.0F);
}

}  // namespace ringwave::dsp
