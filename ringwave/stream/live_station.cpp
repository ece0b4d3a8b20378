// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/live_station.hpp"

#include <utility>

namespace ringwave::stream {
namespace {

constexpr std::size_t kPhrasesAhead = 4;
constexpr std::size_t kNotesAhead = 2048;  // of two phrases, far more than there are: see the test

}  // namespace

LiveStation::LiveStation(int slot, const synth::Renderer::Spec& renderer, int ring_blocks, Phrase first)
    : slot_(slot),
      performer_(
          {.station = slot, .voices = kVoices, .spares = kSpares, .sample_rate_hz = renderer.sample_rate_hz},
          renderer.patches),
      effects_(first.effects),
      phrases_(kPhrasesAhead),
      used_(2 * kPhrasesAhead),
      samples_(static_cast<std::size_t>(2 * ring_blocks * renderer.max_block_frames)),
      begins_(static_cast<std::size_t>(ring_blocks) + 1) {
  performer_.reserve(kNotesAhead);
  performer_.add(first.notes);
}

LiveStation::~LiveStation() {
  Phrase* phrase = nullptr;
  while (phrases_.try_pop(phrase)) delete phrase;
  while (used_.try_pop(phrase)) delete phrase;
}

bool LiveStation::offer(std::unique_ptr<Phrase> phrase) {
  Phrase* used = nullptr;
  while (used_.try_pop(used)) delete used;
  if (!phrases_.try_push(phrase.get())) return false;
  (void)phrase.release();  // the ring has it
  return true;
}

std::optional<std::int64_t> LiveStation::read(std::span<std::int16_t> block) noexcept {
  std::int64_t begin = 0;
  if (samples_.size() < block.size() || !begins_.try_pop(begin)) return {};
  samples_.read(block);
  return begin;
}

Status LiveStation::start(synth::Renderer& renderer) noexcept {
  const Status status = renderer.start(slot_, effects_);
  start_frame_ = renderer.start_frame(slot_);
  return status;
}

void LiveStation::perform(synth::Renderer& renderer, int frames,
                          std::vector<synth::VoiceEvent>& events) noexcept {
  const std::int64_t end = performer_.clock() + frames;
  Phrase* taken = nullptr;
  while (next_ || phrases_.try_pop(taken)) {
    if (!next_) {
      next_.reset(std::exchange(taken, nullptr));
      performer_.add(next_->notes);
    }
    if (next_->begin_frame >= end) break;
    (void)renderer.set(slot_, next_->effects);
    // As many are in use as were offered, so there is room to give it back.
    (void)used_.try_push(next_.release());
  }
  performer_.perform(frames, 0, events);
  clock_.store(performer_.clock(), std::memory_order_release);
}

void LiveStation::hear(const synth::Renderer& renderer, std::int64_t block_begin) noexcept {
  const std::span<const std::int16_t> block = renderer.pcm(slot_);
  if (block_begin < start_frame_ || block.empty()) return;
  const std::size_t room = samples_.capacity() - samples_.size();
  is_leaving_out_ = is_leaving_out_ ? room < samples_.capacity() / 2 : room < block.size();
  if (!is_leaving_out_ && begins_.try_push(heard_))
    samples_.write(block);
  else
    dropped_.fetch_add(1, std::memory_order_relaxed);
  heard_ += static_cast<std::int64_t>(block.size() / 2);
}

}  // namespace ringwave::stream
