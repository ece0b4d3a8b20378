// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/detail/timeline.hpp"

#include <utility>

namespace ringwave::stream {

std::int64_t Timeline::State::applies_at() const noexcept {
  if (!has_begun || phrases->empty()) return sample_time;
  const Phrase& last = phrases->back();
  return last.settings == wish->settings ? last.begins_at : last.ends_at;
}

Timeline::Timeline(WishPtr wish, Phrases phrases, std::int64_t sample_time)
    : state_{.wish = std::move(wish),
             .phrases = std::make_shared<const Phrases>(std::move(phrases)),
             .place = nullptr,
             .sample_time = sample_time,
             .told_phrase = {}} {}

Timeline::State Timeline::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

std::shared_ptr<Place> Timeline::place() const {
  const std::lock_guard lock(mutex_);
  return state_.place;
}

// Arguments are swapped with what they replace, and go after the lock.

Timeline::State Timeline::wish(WishPtr wish) {
  const std::lock_guard lock(mutex_);
  state_.wish.swap(wish);
  return state_;
}

std::shared_ptr<Place> Timeline::move_to(std::shared_ptr<Place> place) {
  const std::lock_guard lock(mutex_);
  state_.has_begun = false;
  state_.told_phrase.reset();
  return std::exchange(state_.place, std::move(place));
}

bool Timeline::compose(const Place& place, const Wish& wish, std::shared_ptr<const Phrases> phrases) {
  const std::lock_guard lock(mutex_);
  if (state_.place.get() != &place || state_.wish.get() != &wish) return false;
  state_.phrases.swap(phrases);
  state_.has_begun = true;
  return true;
}

void Timeline::tell(const Place& place, std::int64_t begins_at, std::uint64_t news) {
  const std::lock_guard lock(mutex_);
  if (state_.place.get() != &place) return;
  state_.previous_news = std::exchange(state_.newest_news, news);
  state_.told_phrase = begins_at;
}

bool Timeline::advance(const Place& place, std::int64_t sample_time) {
  const std::lock_guard lock(mutex_);
  if (state_.place.get() != &place) return false;
  state_.sample_time = sample_time;
  return true;
}

}  // namespace ringwave::stream
