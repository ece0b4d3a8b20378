// SPDX-License-Identifier: Apache-2.0
#include "apps/client/stream_sound.hpp"

#include <algorithm>

namespace ringwave::client {
namespace {

constexpr std::int64_t kConcealedFrames = 4800;
constexpr std::int64_t kMostMissingFrames = 480000;
constexpr std::int64_t kStepFrames = 960;
constexpr std::size_t kBytesPerFrame = 4;

float sample_of(std::byte low, std::byte high) noexcept {
  const auto bits =
      static_cast<std::uint16_t>(std::to_integer<unsigned>(low) | std::to_integer<unsigned>(high) << 8U);
  return static_cast<float>(static_cast<std::int16_t>(bits)) / 32768.0F;
}

}  // namespace

std::span<const float> StreamSound::samples_of(const stream::FrameHeader& header,
                                               std::span<const std::byte> payload) {
  is_opus_ = header.codec == stream::FrameHeader::Codec::opus;
  if (is_opus_) return decoder_.decode(payload);
  interleaved_.resize(payload.size() / kBytesPerFrame * 2);
  for (std::size_t i = 0; i < interleaved_.size(); ++i)
    interleaved_[i] = sample_of(payload[2 * i], payload[2 * i + 1]);
  return interleaved_;
}

void StreamSound::add(const stream::FrameHeader& header, std::span<const std::byte> payload) {
  const bool goes_on = next_time_ && (header.flags & stream::FrameHeader::kDiscontinuous) == 0;
  const auto missing = goes_on ? static_cast<std::int64_t>(header.sample_time - *next_time_) : 0;
  if (missing > 0 && missing <= kMostMissingFrames) fill(missing);
  const auto samples = samples_of(header, payload);
  if (samples.empty()) ++damaged_;
  next_time_ = header.sample_time + samples.size() / 2;
  give(samples);
}

void StreamSound::fill(std::int64_t frames) {
  std::int64_t filled = 0;
  while (filled < frames) {
    const std::int64_t step = std::min(kStepFrames, frames - filled);
    std::span<const float> made;
    if (is_opus_ && filled < kConcealedFrames) made = decoder_.conceal(static_cast<int>(step));
    if (made.empty()) {
      interleaved_.assign(static_cast<std::size_t>(2 * step), 0.0F);
      made = interleaved_;
    }
    give(made);
    filled += static_cast<std::int64_t>(made.size() / 2);
  }
}

void StreamSound::give(std::span<const float> interleaved) {
  const std::size_t frames = interleaved.size() / 2;
  if (frames == 0) return;
  planes_.resize(2 * frames);
  for (std::size_t n = 0; n < frames; ++n) {
    planes_[n] = interleaved[2 * n];
    planes_[frames + n] = interleaved[2 * n + 1];
  }
  take_(BlockView<const float>(planes_.data(), 2, static_cast<int>(frames)));
}

}  // namespace ringwave::client
