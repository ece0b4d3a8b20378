// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/clock_bridge.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

// A drift d moves the error by e' = d - u, and u = kp e + ki (integral of e): with these two numbers a loop
// of s^2 + kp s + ki = (s + 0.1)^2, critically damped, of 10 s.
constexpr double kProportional = 0.2;  // 1/s
constexpr double kIntegral = 0.01;     // 1/s^2
constexpr double kSmoothSeconds = 0.5;

void require(const ClockBridge::Spec& spec) {
  backend::require_shape("clock bridge", spec.channels, spec.max_block_frames);
  if (spec.sample_rate_hz < 1000 || spec.sample_rate_hz > 768000 ||
      spec.target_frames < 3 * std::int64_t{spec.max_block_frames} || spec.target_frames > (1 << 24))
    throw InvalidArgument("a clock bridge was asked for at " + std::to_string(spec.sample_rate_hz) +
                          " Hz with " + std::to_string(spec.target_frames) + " frames between blocks of " +
                          std::to_string(spec.max_block_frames) +
                          "; use 1000 to 768000 Hz and at least three blocks, up to 2^24 frames");
}

std::size_t samples(int channels, std::int64_t frames) {
  return static_cast<std::size_t>(channels) * static_cast<std::size_t>(frames);
}

/// Frames that the resampler may ask for at a time.
std::int64_t most_needed(const ClockBridge::Spec& spec) {
  return spec.max_block_frames + static_cast<std::int64_t>(std::ceil(spec.max_block_frames * spec.range)) +
         DriftResampler::kTaps;
}

}  // namespace

ClockBridge::ClockBridge(const Spec& spec)
    : spec_((require(spec), spec)),
      ring_(samples(spec.channels, 2 * std::int64_t{spec.target_frames} + 2 * spec.max_block_frames)),
      write_frames_(samples(spec.channels, spec.max_block_frames)),
      resampler_({spec.channels, spec.max_block_frames, spec.range}),
      read_frames_(samples(spec.channels, most_needed(spec))),
      planes_(samples(spec.channels, most_needed(spec))) {}

bool ClockBridge::fits(BlockView<const float> block) const noexcept {
  return block.channels() == spec_.channels && block.frames() >= 0 &&
         block.frames() <= spec_.max_block_frames;
}

Status ClockBridge::write(BlockView<const float> block, std::int64_t now_ns) noexcept {
  if (!fits(block)) return Status::wrong_shape;
  const auto channels = static_cast<std::size_t>(spec_.channels);
  const auto frames = static_cast<std::size_t>(block.frames());
  const bool room = ring_.capacity() - ring_.size() >= frames * channels;
  if (room) {
    for (std::size_t channel = 0; channel < channels; ++channel)
      for (std::size_t n = 0; n < frames; ++n)
        write_frames_[n * channels + channel] = block.channel(static_cast<int>(channel))[n];
    (void)ring_.write({write_frames_.data(), frames * channels});
    written_ += block.frames();
  } else {
    dropped_.fetch_add(frames, std::memory_order_relaxed);
  }
  stamps_.write_slot() = {written_, now_ns};
  stamps_.publish();
  return room ? Status::ok : Status::busy;
}

double ClockBridge::fill_at(std::int64_t now_ns) noexcept {
  (void)stamps_.update();
  const Stamp& stamp = stamps_.read_slot();
  // A producer that is late has stopped: more than a block is not taken for granted.
  const double since = static_cast<double>(now_ns - stamp.now_ns) * 1e-9 * spec_.sample_rate_hz;
  return static_cast<double>(stamp.frames - taken_) + std::clamp(since, 0.0, 1.0 * spec_.max_block_frames);
}

/// What was found of the drift before an interruption is kept.
void ClockBridge::start(std::int64_t now_ns) noexcept {
  running_ = true;
  last_ns_ = now_ns;
  error_seconds_ = (fill_at(now_ns) - spec_.target_frames) / spec_.sample_rate_hz;
  resampler_.reset();
}

void ClockBridge::steer(std::int64_t now_ns) noexcept {
  const double seconds = std::clamp(static_cast<double>(now_ns - last_ns_) * 1e-9, 0.0, 1.0);
  last_ns_ = now_ns;
  const double fill = fill_at(now_ns);
  const double error = (fill - spec_.target_frames) / spec_.sample_rate_hz;
  error_seconds_ += (error - error_seconds_) * (1 - std::exp(-seconds / kSmoothSeconds));
  integral_ = std::clamp(integral_ + kIntegral * error_seconds_ * seconds, -spec_.range, spec_.range);
  resampler_.set_speed(1 + integral_ + kProportional * error_seconds_);
  seen_speed_.store(resampler_.speed(), std::memory_order_relaxed);
  seen_fill_.store(fill, std::memory_order_relaxed);
}

Status ClockBridge::read(BlockView<float> block, std::int64_t now_ns) noexcept {
  if (!fits(block)) {
    backend::silence(block);
    return Status::wrong_shape;
  }
  const auto channels = static_cast<std::size_t>(spec_.channels);
  const auto there = static_cast<std::int64_t>(ring_.size() / channels);
  if (!running_ && there >= spec_.target_frames) start(now_ns);
  if (running_) steer(now_ns);
  const int taken = resampler_.needed(block.frames());
  if (running_ && there < taken) {
    running_ = false;
    underruns_.fetch_add(1, std::memory_order_relaxed);
  }
  if (!running_) {
    backend::silence(block);
    return Status::busy;
  }
  (void)ring_.read({read_frames_.data(), static_cast<std::size_t>(taken) * channels});
  taken_ += taken;
  const BlockView<float> planes(planes_.data(), spec_.channels, taken);
  for (std::size_t channel = 0; channel < channels; ++channel)
    for (std::size_t n = 0; n < static_cast<std::size_t>(taken); ++n)
      planes.channel(static_cast<int>(channel))[n] = read_frames_[n * channels + channel];
  return resampler_.process(planes, block);
}

}  // namespace ringwave::dsp
