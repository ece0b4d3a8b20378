// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/reception.hpp"

#include <algorithm>
#include <cmath>

namespace ringwave::stream {
namespace {

constexpr std::int64_t kRateHz = 48000;
constexpr std::int64_t kMostFrames = std::int64_t{1} << 40;  // 265 days; a server may say anything
constexpr std::int64_t kMostBurstFrames = 3 * kRateHz;

/// From one sample time to another.
std::int64_t frames_between(std::uint64_t from, std::uint64_t to) noexcept {
  return std::clamp(static_cast<std::int64_t>(to - from), -kMostFrames, kMostFrames);
}

std::chrono::nanoseconds length_of(std::int64_t frames) noexcept {
  static_assert(kRateHz * 62500 == 3'000'000'000);
  return std::chrono::nanoseconds(frames * 62500 / 3);
}

double seconds(std::chrono::nanoseconds time) noexcept {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

void Reception::connect(Time now) noexcept {
  finish();
  ++connections_;
  joined_ = false;
  if (!asked_at_) asked_at_ = now;
}

Reception::Verdict Reception::receive(const Arrival& arrival) noexcept {
  bytes_ += arrival.bytes;
  ++frames_;
  if (asked_at_ && !first_frame_delay_) first_frame_delay_ = arrival.at - *asked_at_;
  const bool is_first = !joined_;
  if (!is_first && static_cast<std::int32_t>(arrival.sequence - next_sequence_) < 0) {
    ++repeated_;
    return Verdict::repeated;
  }
  if (is_first || arrival.is_discontinuous) begin_window(arrival);
  time(arrival);
  return is_first ? join(arrival) : follow(arrival);
}

Reception::Verdict Reception::join(const Arrival& arrival) noexcept {
  joined_ = true;
  next_sequence_ = arrival.sequence + 1;
  join_time_ = arrival.sample_time;
  join_at_ = arrival.at;
  const bool goes_on = next_time_ && !arrival.is_discontinuous;
  const std::int64_t missing = goes_on ? frames_between(*next_time_, arrival.sample_time) : 0;
  // A station that is further back than any burst goes was set back: that is its place now.
  catching_up_ = missing < 0 && missing >= -kMostBurstFrames;
  if (missing > 0) lost_ += static_cast<std::uint64_t>(missing) / std::max(1U, arrival.frames);
  return take(arrival, missing > 0);
}

Reception::Verdict Reception::follow(const Arrival& arrival) noexcept {
  std::uint64_t missing = arrival.sequence - next_sequence_;
  next_sequence_ = arrival.sequence + 1;
  // What a server could not make in time has no number: the sample times tell.
  if (missing == 0 && arrival.is_discontinuous)
    missing = static_cast<std::uint64_t>(
                  std::max<std::int64_t>(0, frames_between(*next_time_, arrival.sample_time))) /
              std::max(1U, arrival.frames);
  lost_ += missing;
  return take(arrival, missing > 0);
}

Reception::Verdict Reception::take(const Arrival& arrival, bool has_gap) noexcept {
  if (catching_up_ && frames_between(*next_time_, arrival.sample_time) < 0) return Verdict::repeated;
  catching_up_ = false;
  next_time_ = arrival.sample_time + arrival.frames;
  return has_gap ? Verdict::after_gap : Verdict::taken;
}

void Reception::begin_window(const Arrival& arrival) noexcept {
  settle();
  settled_ = false;
  window_frames_ = burst_frames_ = 0;
  origin_time_ = arrival.sample_time;
  origin_at_ = arrival.at;
  last_difference_.reset();
}

void Reception::time(const Arrival& arrival) noexcept {
  const Delay since = arrival.at - origin_at_;
  const Delay difference = since - length_of(frames_between(origin_time_, arrival.sample_time));
  if (!settled_ && since > kWindow) settle();
  if (settled_) return rate(difference);
  base_ = window_frames_ == 0 ? difference : std::min(base_, difference);
  window_[window_frames_++ % kKept] = difference;
  if (since <= kBurst) burst_frames_ = window_frames_;
}

void Reception::settle() noexcept {
  if (settled_) return;
  settled_ = true;
  std::size_t frame = window_frames_ > kKept ? window_frames_ - kKept : 0;
  while (frame < burst_frames_ && window_[frame % kKept] > base_ + kBurstAbove) ++frame;
  for (; frame < window_frames_; ++frame) rate(window_[frame % kKept]);
}

void Reception::rate(Delay difference) noexcept {
  last_lateness_ = std::max(Delay{0}, difference - base_);
  lateness_->add(last_lateness_);
  if (last_difference_)
    jitter_seconds_ += (std::abs(seconds(difference - *last_difference_)) - jitter_seconds_) / 16;
  last_difference_ = difference;
}

void Reception::finish() noexcept {
  settle();
}

double Reception::depth_seconds(Time now) const noexcept {
  if (!joined_) return 0;
  const Delay received = length_of(frames_between(join_time_, *next_time_));
  return std::max(0.0, seconds(received - (now - join_at_)));
}

}  // namespace ringwave::stream
