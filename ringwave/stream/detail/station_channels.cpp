// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/detail/station_channels.hpp"

#include <utility>

namespace ringwave::stream {
namespace {

std::int64_t unix_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

/// One that never was heard, and one that a clock which ran ahead has seen, count from now on.
StationChannels::StationChannels(std::int64_t heard_at) : heard_at_(unix_seconds()) {
  if (heard_at > 0 && heard_at < heard_at_) heard_at_ = heard_at;
}

StationChannels::ChannelPtr StationChannels::join(io::StreamFormat format,
                                                  const std::function<ChannelPtr()>& make) {
  if (ChannelPtr there = join(format, ChannelPtr())) return there;
  return join(format, make());
}

/// Joins what is there, or else what was made, which may be nothing. Of two who make a channel at a time the
/// second takes that of the first.
StationChannels::ChannelPtr StationChannels::join(io::StreamFormat format, ChannelPtr made) {
  const auto index = static_cast<std::size_t>(format);
  const std::lock_guard lock(mutex_);
  if (!channels_[index]) channels_[index].swap(made);
  if (!channels_[index]) return {};
  ++heard_by_[index];
  ++listeners_;
  return channels_[index];
}

void StationChannels::leave(io::StreamFormat format) {
  const auto now = std::chrono::steady_clock::now();
  const std::int64_t unix_now = unix_seconds();
  const auto index = static_cast<std::size_t>(format);
  ChannelPtr unheard;  // goes after the lock
  const std::lock_guard lock(mutex_);
  if (--heard_by_[index] == 0) unheard.swap(channels_[index]);
  if (--listeners_ > 0) return;
  lonely_since_ = now;
  heard_at_ = unix_now;
}

StationChannels::Channels StationChannels::channels() const {
  const std::lock_guard lock(mutex_);
  return channels_;
}

int StationChannels::listeners() const {
  const std::lock_guard lock(mutex_);
  return listeners_;
}

std::optional<StationChannels::Time> StationChannels::lonely_since() const {
  const std::lock_guard lock(mutex_);
  if (listeners_ > 0) return {};
  return lonely_since_;
}

std::int64_t StationChannels::heard_at() const {
  const std::int64_t unix_now = unix_seconds();
  const std::lock_guard lock(mutex_);
  return listeners_ > 0 ? unix_now : heard_at_;
}

}  // namespace ringwave::stream
