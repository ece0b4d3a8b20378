// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ringwave/music/settings.hpp"
#include "ringwave/stream/detail/place.hpp"
#include "ringwave/stream/phrase.hpp"
#include "ringwave/stream/station_record.hpp"

namespace ringwave::stream {

/// Where a station is in its music, and what is wished of it: all that its threads tell each other. What is
/// large is an immutable value behind a pointer, so that its lock is held while pointers and numbers are
/// copied, never over work.
class Timeline {
 public:
  struct Wish {
    music::Settings settings{};
    std::string preset{};  ///< that the settings came from; empty where they were changed since
  };
  using WishPtr = std::shared_ptr<const Wish>;
  using Phrases = std::vector<Phrase>;

  struct State {
    WishPtr wish;                             ///< never null
    std::shared_ptr<const Phrases> phrases;   ///< in order; never null
    std::shared_ptr<Place> place;             ///< null while it sleeps
    bool has_begun = false;                   ///< the last phrases are of this place
    std::int64_t sample_time = 0;             ///< frames that were rendered
    std::uint64_t newest_news = 0;            ///< sequence of the news of the last phrase
    std::uint64_t previous_news = 0;          ///< and of the one before
    std::optional<std::int64_t> told_phrase;  ///< where the phrase begins that the newest news is of

    /// The phrase that sounds, or the last before; null where there is none.
    [[nodiscard]] const Phrase* sounding() const noexcept { return phrase_at(*phrases, sample_time); }
    /// Where the settings that were wished are heard.
    [[nodiscard]] std::int64_t applies_at() const noexcept;
  };

  /// Of a station that sleeps. [setup]
  Timeline(WishPtr wish, Phrases phrases, std::int64_t sample_time);

  /// [any]
  [[nodiscard]] State state() const;
  [[nodiscard]] std::shared_ptr<Place> place() const;

  /// [server]: what a person wishes, and then the whole as it is.
  State wish(WishPtr wish);
  /// [server]: it wakes in a place, or sleeps; the place that it had.
  std::shared_ptr<Place> move_to(std::shared_ptr<Place> place);

  // What follows is of the threads that make the music, and does nothing and says false where the station has
  // left `place` meanwhile.

  /// [server]: phrases were composed as `wish` says. False as well where something else is wished by now.
  bool compose(const Place& place, const Wish& wish, std::shared_ptr<const Phrases> phrases);
  /// [server]: listeners were told of the last phrase.
  void tell(const Place& place, std::int64_t begins_at, std::uint64_t news);
  /// [server]: it was rendered up to a sample time.
  bool advance(const Place& place, std::int64_t sample_time);

 private:
  mutable std::mutex mutex_;
  State state_;
};

}  // namespace ringwave::stream
