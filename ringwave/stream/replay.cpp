// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/replay.hpp"

#include <algorithm>
#include <utility>

#include "ringwave/core/error.hpp"

namespace ringwave::stream {
namespace {

/// Those before the one that sounds at a sample time are not needed.
std::vector<Phrase> from_on(std::vector<Phrase> phrases, std::int64_t sample_time) {
  if (phrases.empty()) throw InvalidArgument("nothing was played that could be played again");
  if (const Phrase* at = phrase_at(phrases, sample_time))
    phrases.erase(phrases.begin(), phrases.begin() + (at - phrases.data()));
  return phrases;
}

}  // namespace

Replay::Replay(std::vector<Phrase> phrases, std::uint64_t seed, int sample_rate_hz, std::int64_t from)
    : phrases_(from_on(std::move(phrases), from)),
      seed_(seed),
      sample_rate_hz_(sample_rate_hz),
      from_(from),
      conductor_(phrases_.front().settings, seed, sample_rate_hz,
                 {phrases_.front().number, phrases_.front().begins_at}),
      names_(phrases_.front().settings, seed, sample_rate_hz) {}

std::vector<synth::Piece::Note> Replay::notes_until(std::int64_t frame) {
  std::vector<Note> notes;
  while (conductor_.next_frame() < from_ + frame) {
    if (next_ < phrases_.size()) {
      // A station that slept began a phrase where no phrase had ended.
      const Phrase& phrase = phrases_[next_++];
      conductor_ =
          music::Conductor(phrase.settings, seed_, sample_rate_hz_, {phrase.number, phrase.begins_at});
    }
    for (const synth::Performer::Note& note : notes_from(conductor_.next_phrase(), from_))
      notes.push_back({note, note.channel});
  }
  return notes;
}

std::unique_ptr<synth::Piece> Replay::again() const {
  return std::make_unique<Replay>(phrases_, seed_, sample_rate_hz_, from_);
}

}  // namespace ringwave::stream
