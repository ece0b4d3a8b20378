// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/detail/phrase_writer.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "ringwave/stream/station_news.hpp"
#include "ringwave/synth/station_effects.hpp"

namespace ringwave::stream {
namespace {

constexpr double kComposeSeconds = 0.5;    // before a phrase begins it is composed
constexpr double kRememberSeconds = 1200;  // what was played, for who wants it as a file

/// Where the music goes on that was played up to a sample time.
music::Conductor::Place place_of(const Timeline::State& state, std::int64_t sample_time) {
  const Phrase* at = phrase_at(*state.phrases, sample_time);
  if (at == nullptr) return {0, sample_time};
  if (at->settings == state.wish->settings && sample_time < at->ends_at) return {at->number, at->begins_at};
  return {at->number + 1, sample_time};  // other settings need not wait for a phrase that nobody hears
}

}  // namespace

void PhraseWriter::write(const std::shared_ptr<Place>& place, bool was_heard) {
  const std::unique_lock writing(writing_, std::try_to_lock);
  if (!writing) return;
  if (begun_.lock() != place) return begin(place, was_heard);
  LiveStation* live = place->live();
  if (live == nullptr) return;  // it was stopped before it began
  const auto ahead = static_cast<std::int64_t>(kComposeSeconds * spec_.sample_rate_hz);
  while (place->begins_at() + live->clock() + ahead >= conductor_->next_frame()) {
    auto phrase = compose(*place, timeline_.state(), place->begins_at());
    if (!phrase || !live->offer(std::make_unique<LiveStation::Phrase>(std::move(*phrase)))) return;
  }
}

void PhraseWriter::begin(const std::shared_ptr<Place>& place, bool was_heard) {
  Timeline::State now = timeline_.state();
  if (now.place != place) return;
  const std::int64_t first_frame = now.sample_time + (was_heard ? spec_.block_frames : 0);
  const music::Conductor::Place from = place_of(now, first_frame);
  conductor_.emplace(now.wish->settings, spec_.seed, spec_.sample_rate_hz, from);
  auto heard = std::make_shared<Timeline::Phrases>(*now.phrases);
  std::erase_if(*heard, [&](const Phrase& phrase) { return phrase.begins_at >= from.frame; });
  now.phrases = std::move(heard);
  auto first = compose(*place, now, first_frame);
  if (!first) return;
  place->begin(std::make_unique<LiveStation>(place->slot(), place->loop().renderer_spec(), spec_.ring_blocks,
                                             std::move(*first)),
               first_frame);
  begun_ = place;
}

/// The next phrase for the renderer, which counts frames from `first_frame` on; nothing where that was not
/// wanted any more when it was done.
std::optional<LiveStation::Phrase> PhraseWriter::compose(const Place& place, const Timeline::State& now,
                                                         std::int64_t first_frame) {
  music::Conductor conductor = *conductor_;
  if (conductor.settings() != now.wish->settings) conductor.change(now.wish->settings);
  Phrase phrase{.number = conductor.next_phrase_number(),
                .begins_at = conductor.next_frame(),
                .settings = conductor.settings()};
  std::vector<music::TimedNote> notes = conductor.next_phrase();
  phrase.ends_at = conductor.next_frame();
  auto phrases = std::make_shared<Timeline::Phrases>(*now.phrases);
  const auto remembered = static_cast<std::int64_t>(kRememberSeconds * spec_.sample_rate_hz);
  std::erase_if(*phrases, [&](const Phrase& old) { return old.ends_at < now.sample_time - remembered; });
  phrases->push_back(phrase);
  if (!timeline_.compose(place, *now.wish, std::move(phrases))) return {};
  conductor_ = conductor;
  const std::uint64_t news = news_.publish(news_packet(phrase.begins_at, phrase_text(phrase, notes)));
  timeline_.tell(place, phrase.begins_at, news);
  synth::StationEffects effects = synth::effects_of(phrase.settings);
  effects.loudness_lufs = spec_.loudness_lufs;
  return LiveStation::Phrase{.begin_frame = std::max<std::int64_t>(0, phrase.begins_at - first_frame),
                             .notes = notes_from(std::move(notes), first_frame),
                             .effects = effects};
}

}  // namespace ringwave::stream
