// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/playback_ring.hpp"

#include <algorithm>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::io {
namespace {

std::size_t checked(int lead_frames) {
  if (lead_frames < 1)
    throw InvalidArgument("a lead of " + std::to_string(lead_frames) +
                          " frames was asked for; use at least 1");
  return static_cast<std::size_t>(lead_frames);
}

}  // namespace

PlaybackRing::PlaybackRing(int lead_frames)
    : lead_frames_(checked(lead_frames)),
      left_(std::max(lead_frames_, std::size_t{2} * kLargestBlock)),
      right_(left_.capacity()) {}

int PlaybackRing::write(BlockView<const float> stereo) noexcept {
  const std::size_t filled = right_.size();
  const std::size_t room = filled < lead() ? lead() - filled : 0;
  const std::size_t count = std::min(room, static_cast<std::size_t>(stereo.frames()));
  left_.write(stereo.channel(0).first(count));
  right_.write(stereo.channel(1).first(count));
  return static_cast<int>(count);
}

void PlaybackRing::finish() noexcept {
  finished_.store(true, std::memory_order_release);
}

bool PlaybackRing::is_filled() const noexcept {
  return right_.size() >= lead() || finished_.load(std::memory_order_acquire);
}

void PlaybackRing::begin() noexcept {
  begun_.store(true, std::memory_order_release);
}

void PlaybackRing::play(std::span<float> left, std::span<float> right) noexcept {
  block_frames_.store(left.size(), std::memory_order_relaxed);
  const bool begun = begun_.load(std::memory_order_acquire);
  const bool finished = finished_.load(std::memory_order_acquire);  // before looking at what there is
  const std::size_t count = begun ? std::min(left.size(), right_.size()) : 0;
  left_.read(left.first(count));
  right_.read(right.first(count));
  std::ranges::fill(left.subspan(count), 0.0F);
  std::ranges::fill(right.subspan(count), 0.0F);
  played_.fetch_add(static_cast<std::int64_t>(count), std::memory_order_relaxed);
  if (begun && count < left.size() && !finished) underruns_.fetch_add(1, std::memory_order_relaxed);
  if (begun && count == 0 && finished) over_.store(true, std::memory_order_release);
}

std::size_t PlaybackRing::lead() const noexcept {
  const std::size_t two_blocks = 2 * block_frames_.load(std::memory_order_relaxed);
  return std::min(std::max(lead_frames_, two_blocks), right_.capacity());
}

}  // namespace ringwave::io
