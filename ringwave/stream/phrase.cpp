// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/phrase.hpp"

#include <algorithm>

namespace ringwave::stream {

std::vector<synth::Performer::Note> notes_from(std::vector<music::TimedNote> notes,
                                               std::int64_t sample_time) {
  std::erase_if(notes, [sample_time](const music::TimedNote& note) {
    return note.begin_frame < sample_time && note.end_frame <= sample_time;
  });
  for (music::TimedNote& note : notes) {
    note.begin_frame = std::max<std::int64_t>(0, note.begin_frame - sample_time);
    note.end_frame -= sample_time;
  }
  return synth::notes_of(notes);
}

const Phrase* phrase_at(const std::vector<Phrase>& phrases, std::int64_t sample_time) noexcept {
  const auto later = std::ranges::find_if(
      phrases, [sample_time](const Phrase& phrase) { return phrase.begins_at > sample_time; });
  return later == phrases.begin() ? nullptr : &*(later - 1);
}

}  // namespace ringwave::stream
