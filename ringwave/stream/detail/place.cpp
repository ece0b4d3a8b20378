// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/detail/place.hpp"

#include <utility>

namespace ringwave::stream {

void Place::begin(std::unique_ptr<LiveStation> live, std::int64_t sample_time) {
  const std::lock_guard lock(mutex_);
  if (is_stopped_) return;
  live_ = std::move(live);
  begins_at_ = sample_time;
  playing_.store(live_.get(), std::memory_order_release);
  if (!loop_.start(*live_)) live_->end();
}

void Place::stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  if (live_ && !live_->has_ended()) (void)loop_.stop(*live_);
}

bool Place::has_ended() const {
  const std::lock_guard lock(mutex_);
  return live_ ? live_->has_ended() : is_stopped_;
}

}  // namespace ringwave::stream
