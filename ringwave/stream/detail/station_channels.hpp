// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "ringwave/io/stream_format.hpp"
#include "ringwave/stream/detail/channel.hpp"

namespace ringwave::stream {

/// The formats in which somebody hears a station, and how many do. A channel is there while it is heard. The
/// lock is held while pointers and numbers are copied: channels are made and freed outside of it.
class StationChannels {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using ChannelPtr = std::shared_ptr<Channel>;
  using Channels = std::array<ChannelPtr, io::kStreamFormats.size()>;

  /// `heard_at`: when somebody heard it before, Unix time; 0: not known. [setup]
  explicit StationChannels(std::int64_t heard_at);

  /// One listener more of a format, whose channel is made where there is none. [server]
  [[nodiscard]] ChannelPtr join(io::StreamFormat format, const std::function<ChannelPtr()>& make);
  /// One less. [server]
  void leave(io::StreamFormat format);

  /// Those of formats that nobody hears are null. [server]
  [[nodiscard]] Channels channels() const;
  [[nodiscard]] int listeners() const;
  /// Since when nobody listens; nothing where somebody does. [server]
  [[nodiscard]] std::optional<Time> lonely_since() const;
  /// When somebody heard it last, or it was made: Unix time. [server]
  [[nodiscard]] std::int64_t heard_at() const;

 private:
  [[nodiscard]] ChannelPtr join(io::StreamFormat format, ChannelPtr made);

  mutable std::mutex mutex_;
  Channels channels_;
  std::array<int, io::kStreamFormats.size()> heard_by_{};
  int listeners_ = 0;
  Time lonely_since_ = std::chrono::steady_clock::now();
  std::int64_t heard_at_;
};

}  // namespace ringwave::stream
