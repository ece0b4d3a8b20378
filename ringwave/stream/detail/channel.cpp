// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/detail/channel.hpp"

#include <chrono>
#include <cstring>
#include <utility>

#include "ringwave/stream/detail/gap_fade.hpp"
#include "ringwave/stream/frame_header.hpp"

namespace ringwave::stream {
namespace {

std::optional<FrameHeader::Codec> codec_of(io::StreamFormat format) noexcept {
  if (format == io::StreamFormat::pcm) return FrameHeader::Codec::pcm;
  if (format == io::StreamFormat::opus) return FrameHeader::Codec::opus;
  return {};
}

}  // namespace

Channel::Channel(const Spec& spec, std::unique_ptr<Listener> samples,
                 std::unique_ptr<io::StreamEncoder> encoder)
    : spec_(spec),
      encoder_(std::move(encoder)),
      sound_(std::make_shared<Broadcast>(spec.history_blocks)),
      samples_(std::move(samples)),
      block_(2 * static_cast<std::size_t>(spec.block_frames)) {}

bool Channel::produce(EncodeSeconds& seconds) {
  const std::unique_lock encoding(encoding_, std::try_to_lock);
  if (!encoding) return false;
  const std::uint64_t before = sound_->end();
  std::array<PacketPtr, 8> taken;
  while (const std::size_t count = samples_->take(taken))
    for (std::size_t i = 0; i < count; ++i) take(*taken[i], seconds);
  return sound_->end() != before;
}

void Channel::take(const Packet& samples, EncodeSeconds& seconds) {
  const bool is_gap = next_ && samples.sample_time != *next_;
  if (is_gap) {  // at least a block long
    fade_out_after(block_);
    encode(*next_, samples.due, seconds);
    is_fresh_ = true;
  }
  std::memcpy(block_.data(), samples.bytes.data(), samples.bytes.size());
  if (is_gap) fade_in(block_);
  encode(samples.sample_time, samples.due, seconds);
  next_ = samples.sample_time + spec_.block_frames;
}

void Channel::encode(std::int64_t sample_time, Clock::Time due, EncodeSeconds& seconds) {
  const auto begun = std::chrono::steady_clock::now();
  bytes_.clear();
  if (const auto codec = codec_of(spec_.format)) {
    const FrameHeader header{.codec = *codec,
                             .flags = is_fresh_ ? FrameHeader::kDiscontinuous : std::uint16_t{0},
                             .sequence = static_cast<std::uint32_t>(sound_->end()),
                             .sample_time = static_cast<std::uint64_t>(sample_time)};
    const auto first = header.bytes();
    bytes_.assign(first.begin(), first.end());
  }
  encoder_->encode(block_, bytes_);
  if (!bytes_.empty()) {
    sound_->publish({.sample_time = sample_time, .due = due, .bytes = bytes_});
    is_fresh_ = false;
  }
  seconds[static_cast<std::size_t>(spec_.format)].add(
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
}

}  // namespace ringwave::stream
