// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ringwave/core/realtime.hpp"

namespace ringwave::synth {

/// Says which voice of a station plays a note, on the clock alone: it knows when a note ends and how long it
/// rings, and never asks the device that plays.
///
/// No more than `voices` sound at a time. Where all are taken, the note that is furthest on its way out is
/// faded within fade_frames, in its place, and the new one takes a spare voice; what finds no spare either is
/// dropped and counted. So a note that is taken away does not click, and the memory of a station is bounded.
class VoiceAllocator {
 public:
  struct Spec {
    int voices = 16;
    int spares = 4;         ///< for those that fade
    int fade_frames = 240;  ///< as long as a voice fades, EnvelopeRule::kFadeSeconds: here at 48 kHz
  };

  /// When a note begins, when it is let go, and how long it can be heard from then on.
  struct Span {
    std::int64_t begin_frame = 0;
    std::int64_t end_frame = 0;
    std::int64_t tail_frames = 0;
  };

  struct Choice {
    int voice = 0;   ///< that plays the note
    int faded = -1;  ///< that is to be faded from begin_frame on; none where it is -1
  };

  /// Throws InvalidArgument for fewer than one voice, or a negative number. [setup]
  explicit VoiceAllocator(Spec spec);

  /// A voice for a note; none where even the spares fade. Notes come in the order in which they begin.
  /// [audio]
  RW_REALTIME [[nodiscard]] std::optional<Choice> begin(const Span& note) noexcept;

  /// All voices: those that play and the spares. [any]
  [[nodiscard]] int voice_count() const noexcept { return static_cast<int>(voices_.size()); }
  /// Voices that can be heard at a frame, fading ones among them. [any]
  [[nodiscard]] int sounding(std::int64_t frame) const noexcept;
  /// Notes that were faded for others, and notes that were dropped. [any]
  [[nodiscard]] std::uint64_t stolen_notes() const noexcept { return stolen_; }
  [[nodiscard]] std::uint64_t dropped_notes() const noexcept { return dropped_; }

 private:
  struct Voice {
    Span note{};
    bool fading = false;
    [[nodiscard]] std::int64_t free_from() const noexcept { return note.end_frame + note.tail_frames; }
  };

  [[nodiscard]] int find_free(std::int64_t frame) const noexcept;
  [[nodiscard]] int find_weakest(std::int64_t frame) const noexcept;

  Spec spec_;
  std::vector<Voice> voices_;
  std::uint64_t stolen_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace ringwave::synth
