// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "ringwave/core/clock.hpp"
#include "ringwave/io/stream_encoder.hpp"
#include "ringwave/stream/broadcast.hpp"
#include "ringwave/stream/histogram.hpp"
#include "ringwave/stream/listener.hpp"

namespace ringwave::stream {

/// Seconds that encoding a block took, by format.
using EncodeSeconds = std::array<Histogram, io::kStreamFormats.size()>;

/// A station's sound in one format: it listens to the station's samples, encodes every block once, and
/// publishes it. Where blocks are missing the music fades out and in.
///
/// Whichever thread comes first encodes; the others do not wait for it.
class Channel {
 public:
  struct Spec {
    io::StreamFormat format = io::StreamFormat::pcm;
    int block_frames = 960;
    std::size_t history_blocks = 200;
  };

  /// Encodes what comes to a listener of the station's samples. [server]
  Channel(const Spec& spec, std::unique_ptr<Listener> samples, std::unique_ptr<io::StreamEncoder> encoder);
  Channel(const Channel&) = delete;  // threads share it
  Channel& operator=(const Channel&) = delete;

  [[nodiscard]] const std::shared_ptr<Broadcast>& sound() const noexcept { return sound_; }
  /// Of the format, always the same. [any]
  [[nodiscard]] std::span<const std::byte> header() const noexcept { return encoder_->header(); }
  /// True once there was sound. [any]
  [[nodiscard]] bool has_begun() const noexcept { return sound_->end() > 0; }

  /// Encodes and publishes what there is; true where it published something. [server]
  bool produce(EncodeSeconds& seconds);

 private:
  void take(const Packet& samples, EncodeSeconds& seconds);
  void encode(std::int64_t sample_time, Clock::Time due, EncodeSeconds& seconds);

  const Spec spec_;
  const std::unique_ptr<io::StreamEncoder> encoder_;
  const std::shared_ptr<Broadcast> sound_;
  std::mutex encoding_;  // nobody waits for it: it is only tried
  const std::unique_ptr<Listener> samples_;
  std::optional<std::int64_t> next_;  // sample time of the block that would continue the last one
  bool is_fresh_ = true;              // nothing of it continues what was before
  std::vector<std::int16_t> block_;
  std::vector<std::byte> bytes_;
};

}  // namespace ringwave::stream
