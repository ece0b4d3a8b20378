// SPDX-License-Identifier: Apache-2.0
#include "apps/client/stream_player.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "ringwave/core/error.hpp"

namespace ringwave::client {
namespace {

constexpr int kStreamRateHz = 48000;
constexpr double kRingSeconds = 4;  // the largest target, and a burst on top of it
constexpr double kMostCorrection = 0.002;
constexpr double kSmoothing = 0.01;  // a hundred frames of 20 ms: single late ones are no drift

}  // namespace

StreamPlayer::StreamPlayer()
    : output_("ringwave", kRingSeconds),
      drift_({.channels = 2, .max_block_frames = kStepFrames, .range = kMostCorrection}) {
  const int rate_hz = output_.sample_rate_hz();
  if (rate_hz < 8000 || rate_hz > 192000)
    throw DeviceUnavailable("the audio server runs at " + std::to_string(rate_hz) +
                            " Hz, and Ringwave plays at 8000 to 192000; start it with another rate");
  if (rate_hz != kStreamRateHz)
    converter_.emplace(dsp::RateConverter::Spec{.channels = 2, .from_hz = kStreamRateHz, .to_hz = rate_hz});
  step_out_.resize(2 * kStepFrames);
}

double StreamPlayer::depth_seconds() {
  return static_cast<double>(written_ - output_.ring().played_frames()) / output_.sample_rate_hz();
}

std::uint64_t StreamPlayer::underruns() {
  return static_cast<std::uint64_t>(output_.ring().underruns());
}

void StreamPlayer::play(BlockView<const float> stereo) {
  if (output_.is_gone())
    throw DeviceLost("the audio server went away; start it again, and then listen again");
  convert(stereo);
  follow_clock();
  put_out();
  if (!playing_ && depth_seconds() >= target_seconds_) begin();
}

void StreamPlayer::convert(BlockView<const float> stereo) {
  const auto append = [this](BlockView<const float> block) {
    left_.insert(left_.end(), block.channel(0).begin(), block.channel(0).end());
    right_.insert(right_.end(), block.channel(1).begin(), block.channel(1).end());
  };
  if (!converter_) return append(stereo);
  constexpr int kPiece = 4096;
  converted_.resize(2 * kPiece);
  const BlockView<float> out(converted_.data(), 2, kPiece);
  while (stereo.frames() > 0) {
    const auto [taken, made] = converter_->process(stereo, out);
    append(out.slice(0, made));
    stereo = stereo.slice(taken, stereo.frames() - taken);
  }
}

void StreamPlayer::follow_clock() {
  if (!playing_) return;
  smooth_depth_seconds_ += kSmoothing * (depth_seconds() - smooth_depth_seconds_);
  const double off = (smooth_depth_seconds_ - target_seconds_) / std::max(0.1, target_seconds_);
  drift_.set_speed(1 + std::clamp(kMostCorrection * off, -kMostCorrection, kMostCorrection));
}

/// What does not fit is dropped: a stream that is seconds ahead was away for a while.
void StreamPlayer::put_out() {
  const BlockView<float> out(step_out_.data(), 2, kStepFrames);
  std::size_t used = 0;
  for (;;) {
    const int needed = drift_.needed(kStepFrames);
    const auto count = static_cast<std::size_t>(needed);
    if (left_.size() - used < count) break;
    step_in_.resize(2 * count);
    std::copy_n(left_.begin() + static_cast<std::ptrdiff_t>(used), count, step_in_.begin());
    std::copy_n(right_.begin() + static_cast<std::ptrdiff_t>(used), count,
                step_in_.begin() + static_cast<std::ptrdiff_t>(count));
    drift_.process(BlockView<const float>(step_in_.data(), 2, needed), out);
    used += count;
    written_ += output_.ring().write(out);
  }
  left_.erase(left_.begin(), left_.begin() + static_cast<std::ptrdiff_t>(used));
  right_.erase(right_.begin(), right_.begin() + static_cast<std::ptrdiff_t>(used));
}

void StreamPlayer::begin() {
  playing_ = true;
  smooth_depth_seconds_ = depth_seconds();
  if (output_.start()) return;
  const std::string name = output_.name();
  std::fprintf(
      stderr,
      "ringwave: the audio server has no playback ports; connect %s:left and %s:right to where they are "
      "to be heard\n",
      name.c_str(), name.c_str());
}

void StreamPlayer::finish() {
  if (!playing_ && written_ > 0) begin();
  output_.ring().finish();
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(depth_seconds() + 1);
  while (playing_ && !output_.ring().is_over() && !output_.is_gone() &&
         std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace ringwave::client
