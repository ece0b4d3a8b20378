// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/performer.hpp"

#include <algorithm>
#include <cmath>

#include "ringwave/core/scrambled.hpp"
#include "ringwave/synth/built_in_patches.hpp"
#include "ringwave/synth/envelope_math.hpp"

namespace ringwave::synth {
namespace {

/// Until a release is as soft as EnvelopeRule::kSilence: its time is that of 60 dB.
std::int64_t tail_frames(const Patch& patch, int sample_rate_hz) {
  const double decibels = -20 * std::log10(static_cast<double>(EnvelopeRule::kSilence));
  return static_cast<std::int64_t>(patch.envelopes[0].release_s * decibels / 60 * sample_rate_hz) + 64;
}

/// A number for a note's noise and phases that depends on the note alone.
std::uint32_t seed_of(const Performer::Note& note) noexcept {
  return scrambled(static_cast<std::uint32_t>(note.begin_frame) ^
                   (static_cast<std::uint32_t>(note.key * 256) << 8U) ^
                   (static_cast<std::uint32_t>(note.patch) << 24U));
}

std::uint8_t patch_number(const Patch& patch) {
  return static_cast<std::uint8_t>(&patch - built_in_patches().data());
}

/// Low notes in the middle, others further out the higher they are, to either side in turn.
float pan_of(const music::Note& note) {
  using music::Layer;
  const float side = note.pitch % 2 == 0 ? 1.0F : -1.0F;
  switch (note.layer) {
    case Layer::pads:
      return side * 0.45F;
    case Layer::bells:
      return side * 0.6F;
    case Layer::melody:
      return side * 0.12F;
    case Layer::hats:
      return 0.3F;
    case Layer::bass:
    case Layer::kicks:
    case Layer::swells:
      break;
  }
  return 0;
}

}  // namespace

Performer::Performer(Spec spec, std::span<const Patch> patches)
    : spec_(spec),
      allocator_(
          {.voices = spec.voices,
           .spares = spec.spares,
           .fade_frames = static_cast<int>(std::ceil(EnvelopeRule::kFadeSeconds * spec.sample_rate_hz))}),
      voices_(static_cast<std::size_t>(allocator_.voice_count())),
      semitones_(16) {
  for (const Patch& patch : patches) tails_.push_back(tail_frames(patch, spec.sample_rate_hz));
}

void Performer::add(std::span<const Note> notes) {
  notes_.erase(notes_.begin(), notes_.begin() + static_cast<std::ptrdiff_t>(next_note_));
  next_note_ = 0;
  notes_.insert(notes_.end(), notes.begin(), notes.end());
}

void Performer::add_bends(std::span<const Bend> bends) {
  bends_.erase(bends_.begin(), bends_.begin() + static_cast<std::ptrdiff_t>(next_bend_));
  next_bend_ = 0;
  bends_.insert(bends_.end(), bends.begin(), bends.end());
}

void Performer::begin(const Note& note, int first, std::vector<VoiceEvent>& events) {
  const std::int64_t tail = note.patch < tails_.size() ? tails_[note.patch] : 0;
  const std::int64_t at = std::max(note.begin_frame, clock_);  // what came too late begins at once
  // At one frame a voice is let go before it begins: a note of no length would never be.
  const std::int64_t end = std::max(note.end_frame, at + 1);
  const auto choice = allocator_.begin({at, end, tail});
  if (!choice) return;
  const auto frame = static_cast<std::int32_t>(at - clock_) + first;
  if (choice->faded >= 0) {
    voices_[static_cast<std::size_t>(choice->faded)].held = false;
    events.push_back({.station = spec_.station,
                      .frame = frame,
                      .voice = static_cast<std::int16_t>(choice->faded),
                      .kind = VoiceEvent::Kind::fade});
  }
  const std::uint8_t channel = note.channel % 16;
  voices_[static_cast<std::size_t>(choice->voice)] = {end, note.key, channel, true};
  events.push_back({.station = spec_.station,
                    .frame = frame,
                    .voice = static_cast<std::int16_t>(choice->voice),
                    .kind = VoiceEvent::Kind::begin,
                    .patch = note.patch,
                    .key = note.key + semitones_[channel],
                    .velocity = note.velocity,
                    .pan = note.pan,
                    .seed = seed_of(note)});
}

void Performer::bend(const Bend& bend, int first, std::vector<VoiceEvent>& events) {
  const std::size_t channel = bend.channel % 16;
  const std::int64_t at = std::max(bend.frame, clock_);
  semitones_[channel] = bend.semitones;
  // The events of one frame have no order: of its bends the last one holds.
  for (std::size_t next = next_bend_; next < bends_.size() && bends_[next].frame <= at; ++next)
    if (bends_[next].channel % 16 == channel) return;
  for (std::size_t i = 0; i < voices_.size(); ++i)
    if (voices_[i].held && voices_[i].channel == channel)
      events.push_back({.station = spec_.station,
                        .frame = static_cast<std::int32_t>(at - clock_) + first,
                        .voice = static_cast<std::int16_t>(i),
                        .kind = VoiceEvent::Kind::bend,
                        .key = voices_[i].key + bend.semitones});
}

/// What ends before that frame.
void Performer::let_go(std::int64_t before, int first, std::vector<VoiceEvent>& events) {
  for (std::size_t i = 0; i < voices_.size(); ++i) {
    Voice& voice = voices_[i];
    if (!voice.held || voice.end_frame >= before) continue;
    events.push_back({.station = spec_.station,
                      .frame = static_cast<std::int32_t>(std::max(voice.end_frame, clock_) - clock_) + first,
                      .voice = static_cast<std::int16_t>(i),
                      .kind = VoiceEvent::Kind::release});
    voice.held = false;
  }
}

void Performer::perform(int frames, int first, std::vector<VoiceEvent>& events) {
  const std::int64_t end = clock_ + frames;
  const auto has_note = [&] { return next_note_ < notes_.size() && notes_[next_note_].begin_frame < end; };
  const auto has_bend = [&] { return next_bend_ < bends_.size() && bends_[next_bend_].frame < end; };
  while (has_note() || has_bend()) {
    // At one frame the bend comes first: the note begins where it will stay.
    const bool is_bend =
        has_bend() && (!has_note() || bends_[next_bend_].frame <= notes_[next_note_].begin_frame);
    let_go(is_bend ? bends_[next_bend_].frame : notes_[next_note_].begin_frame, first, events);
    if (is_bend)
      bend(bends_[next_bend_++], first, events);
    else
      begin(notes_[next_note_++], first, events);
  }
  let_go(end, first, events);
  clock_ = end;
}

std::vector<Performer::Note> notes_of(std::span<const music::TimedNote> notes) {
  std::vector<Performer::Note> made;
  for (const music::TimedNote& timed : notes)
    made.push_back({.begin_frame = timed.begin_frame,
                    .end_frame = timed.end_frame,
                    .key = static_cast<float>(timed.note.pitch),
                    .velocity = static_cast<float>(timed.note.velocity) / 127,
                    .pan = pan_of(timed.note),
                    .patch = patch_number(patch_of_layer(timed.note.layer)),
                    .channel = static_cast<std::uint8_t>(timed.note.layer)});
  return made;
}

std::vector<Performer::Note> notes_of(const MidiPerformance& performance) {
  std::vector<Performer::Note> made;
  for (const MidiPerformance::Note& note : performance.notes)
    made.push_back({.begin_frame = note.begin_frame,
                    .end_frame = note.end_frame,
                    .key = note.key,
                    .velocity = note.velocity,
                    .pan = note.pan,
                    .patch = patch_number(patch_of_name(note.voice)),
                    .channel = note.channel});
  return made;
}

std::vector<Performer::Bend> bends_of(const MidiPerformance& performance) {
  std::vector<Performer::Bend> made;
  for (const MidiPerformance::Bend& bend : performance.bends)
    made.push_back({bend.frame, bend.channel, bend.semitones});
  return made;
}

}  // namespace ringwave::synth
