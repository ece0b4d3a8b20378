// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ringwave/music/conductor.hpp"
#include "ringwave/music/settings.hpp"
#include "ringwave/synth/performer.hpp"

namespace ringwave::stream {

/// Four bars that a station played or is about to play.
struct Phrase {
  std::int64_t number = 0;
  std::int64_t begins_at = 0;  ///< sample time
  std::int64_t ends_at = 0;
  music::Settings settings{};
};

/// The notes of a phrase as they are played from a sample time on, which becomes frame 0. What ended before
/// is left out; what was held then begins anew. [setup]
[[nodiscard]] std::vector<synth::Performer::Note> notes_from(std::vector<music::TimedNote> notes,
                                                             std::int64_t sample_time);

/// The phrase that sounds at a sample time, or the last before it; nothing where there is none. [any]
[[nodiscard]] const Phrase* phrase_at(const std::vector<Phrase>& phrases, std::int64_t sample_time) noexcept;

}  // namespace ringwave::stream
