// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/voice_allocator.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "ringwave/core/error.hpp"

namespace ringwave::synth {

VoiceAllocator::VoiceAllocator(Spec spec) : spec_(spec) {
  if (spec.voices < 1 || spec.spares < 0 || spec.fade_frames < 0)
    throw InvalidArgument("a station was asked for with " + std::to_string(spec.voices) + " voices, " +
                          std::to_string(spec.spares) + " spares and a fade of " +
                          std::to_string(spec.fade_frames) +
                          " frames; use one voice or more, and nothing below 0");
  voices_.resize(static_cast<std::size_t>(spec.voices) + static_cast<std::size_t>(spec.spares));
}

int VoiceAllocator::find_free(std::int64_t frame) const noexcept {
  const auto free =
      std::ranges::find_if(voices_, [frame](const Voice& voice) { return voice.free_from() <= frame; });
  return free == voices_.end() ? -1 : static_cast<int>(free - voices_.begin());
}

/// Of those that were let go the one that ends first; else the one that has been held the longest.
int VoiceAllocator::find_weakest(std::int64_t frame) const noexcept {
  int weakest = -1;
  const auto rank = [frame](const Voice& voice) {
    const bool is_held = voice.note.end_frame > frame;
    return std::pair(is_held, is_held ? voice.note.begin_frame : voice.free_from());
  };
  for (int i = 0; i < voice_count(); ++i) {
    const Voice& voice = voices_[static_cast<std::size_t>(i)];
    if (voice.fading || voice.free_from() <= frame) continue;
    if (weakest < 0 || rank(voice) < rank(voices_[static_cast<std::size_t>(weakest)])) weakest = i;
  }
  return weakest;
}

std::optional<VoiceAllocator::Choice> VoiceAllocator::begin(const Span& note) noexcept {
  const std::int64_t frame = note.begin_frame;
  const int free = find_free(frame);
  if (free < 0) {
    ++dropped_;
    return {};
  }
  Choice choice{.voice = free};
  const auto playing = std::ranges::count_if(
      voices_, [frame](const Voice& voice) { return !voice.fading && voice.free_from() > frame; });
  if (playing >= spec_.voices) {
    choice.faded = find_weakest(frame);
    voices_[static_cast<std::size_t>(choice.faded)] = {{frame, frame, spec_.fade_frames}, true};
    ++stolen_;
  }
  voices_[static_cast<std::size_t>(free)] = {note, false};
  return choice;
}

int VoiceAllocator::sounding(std::int64_t frame) const noexcept {
  return static_cast<int>(
      std::ranges::count_if(voices_, [frame](const Voice& voice) { return voice.free_from() > frame; }));
}

}  // namespace ringwave::synth
