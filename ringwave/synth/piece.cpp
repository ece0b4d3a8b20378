// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/piece.hpp"

#include <algorithm>
#include <utility>

#include "ringwave/synth/built_in_patches.hpp"

namespace ringwave::synth {
namespace {

constexpr std::uint8_t kPercussion = 9;  // General MIDI's channel

std::vector<std::string> layer_names() {
  std::vector<std::string> names;
  names.reserve(music::kAllLayers.size());
  for (const music::Layer layer : music::kAllLayers) names.emplace_back(to_string(layer));
  return names;
}

std::vector<std::string> voice_names() {
  std::vector<std::string> names;
  for (const Patch& patch : built_in_patches()) names.push_back(patch.name);
  return names;
}

}  // namespace

ComposedPiece::ComposedPiece(const music::Settings& settings, std::uint64_t seed, int sample_rate_hz,
                             std::optional<std::uint8_t> melody_patch)
    : settings_(settings),
      seed_(seed),
      sample_rate_hz_(sample_rate_hz),
      melody_patch_(melody_patch),
      conductor_(settings, seed, sample_rate_hz) {}

std::vector<Piece::Note> ComposedPiece::notes_until(std::int64_t frame) {
  std::vector<Note> notes;
  while (conductor_.next_frame() < frame) {
    const std::vector<music::TimedNote> phrase = conductor_.next_phrase();
    const std::vector<Performer::Note> played = notes_of(phrase);
    for (std::size_t i = 0; i < phrase.size(); ++i) {
      notes.push_back({played[i], static_cast<std::size_t>(phrase[i].note.layer)});
      if (melody_patch_ && phrase[i].note.layer == music::Layer::melody)
        notes.back().played.patch = *melody_patch_;
    }
  }
  return notes;
}

std::span<const std::string> ComposedPiece::parts() const noexcept {
  static const std::vector<std::string> kNames = layer_names();
  return kNames;
}

std::unique_ptr<Piece> ComposedPiece::again() const {
  return std::make_unique<ComposedPiece>(settings_, seed_, sample_rate_hz_, melody_patch_);
}

MidiPiece::MidiPiece(std::shared_ptr<const MidiPerformance> performance, std::optional<std::uint8_t> patch)
    : performance_(std::move(performance)), patch_(patch), notes_(notes_of(*performance_)) {}

std::vector<Piece::Note> MidiPiece::notes_until(std::int64_t frame) {
  std::vector<Note> notes;
  for (; next_ < notes_.size() && notes_[next_].begin_frame < frame; ++next_) {
    notes.push_back({notes_[next_], notes_[next_].patch});
    if (patch_ && notes_[next_].channel != kPercussion) notes.back().played.patch = *patch_;
  }
  return notes;
}

std::vector<Performer::Bend> MidiPiece::bends() const {
  return bends_of(*performance_);
}

std::span<const std::string> MidiPiece::parts() const noexcept {
  static const std::vector<std::string> kNames = voice_names();
  return kNames;
}

std::optional<std::int64_t> MidiPiece::end_frame() const noexcept {
  return performance_->end_frame;
}

std::unique_ptr<Piece> MidiPiece::again() const {
  return std::make_unique<MidiPiece>(performance_, patch_);
}

void for_each_note(const Piece& piece, std::int64_t end_frame,
                   const std::function<void(const Piece::Note&)>& see) {
  constexpr std::int64_t kStep = 1 << 20;  // so that a day is not in memory at once
  const std::unique_ptr<Piece> heard = piece.again();
  for (std::int64_t frame = 0; frame < end_frame; frame += kStep)
    for (const Piece::Note& note : heard->notes_until(std::min(frame + kStep, end_frame)))
      if (note.played.begin_frame < end_frame) see(note);
}

std::vector<std::size_t> playing_parts(const Piece& piece, std::int64_t end_frame) {
  std::vector<bool> plays(piece.parts().size());
  for_each_note(piece, end_frame, [&](const Piece::Note& note) { plays[note.part] = true; });
  std::vector<std::size_t> parts;
  for (std::size_t part = 0; part < plays.size(); ++part)
    if (plays[part]) parts.push_back(part);
  return parts;
}

}  // namespace ringwave::synth
