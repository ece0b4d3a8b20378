// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "ringwave/core/realtime.hpp"
#include "ringwave/core/worker_crew.hpp"
#include "ringwave/synth/knob_math.hpp"
#include "ringwave/synth/note_batch_twins.hpp"
#include "ringwave/synth/voices_cpu.hpp"

namespace ringwave::synth {
namespace {

constexpr std::size_t kTogether = 32;  // notes, of which those of one patch play side by side

/// What a worker plays its notes with.
class Player {
 public:
  Player() : together_(patches_, kTogether, kTogether) {}
  Player(const Player&) = delete;  // the voices know where the patches are
  Player& operator=(const Player&) = delete;

  void play(std::span<const VoiceRule::Constants> patches, std::span<const NoteBatch::Note> notes, int frames,
            float* samples) noexcept {
    const FlushSubnormals flush;
    for (std::size_t i = 0; i < notes.size(); ++i) seat(patches, notes, i);
    for (int first = 0; first < frames; first += kChunkFrames) {
      const int count = std::min(kChunkFrames, frames - first);
      together_.play(first, first, count);
      for (std::size_t i = 0; i < notes.size(); ++i)
        write(i, static_cast<std::size_t>(count),
              samples + (i * static_cast<std::size_t>(frames) + static_cast<std::size_t>(first)) * 2);
    }
    together_.leave();
  }

 private:
  void seat(std::span<const VoiceRule::Constants> patches, std::span<const NoteBatch::Note> notes,
            std::size_t i) noexcept {
    const NoteBatch::Note& note = notes[i];
    std::size_t same = 0;  // the first note of this patch
    while (notes[same].patch != note.patch) ++same;
    if (same == i) patches_[i] = patches[static_cast<std::size_t>(note.patch)];
    voices_[i] = {};
    events_[i][0] = {.patch = static_cast<std::uint8_t>(same),
                     .key = note.key,
                     .velocity = note.velocity,
                     .pan = note.pan,
                     .seed = note.seed};
    events_[i][1] = {.frame = note.held_frames, .kind = VoiceEvent::Kind::release};
    together_.sit(std::span(voices_).subspan(i, 1), events_[i]);
  }

  void write(std::size_t note, std::size_t count, float* samples) const noexcept {
    std::array<float, kChunkFrames> left{};
    std::array<float, kChunkFrames> right{};
    together_.add(note, std::span(left).first(count), std::span(right).first(count));
    for (std::size_t n = 0; n < count; ++n) {
      samples[2 * n] = left[n];
      samples[2 * n + 1] = right[n];
    }
  }

  std::array<VoiceRule::Constants, kTogether> patches_{};
  std::array<VoicesCpu::Voice, kTogether> voices_{};
  std::array<std::array<VoiceEvent, 2>, kTogether> events_{};
  VoicesCpu together_;
};

class NoteBatchCpu final : public NoteBatchTwin {
 public:
  explicit NoteBatchCpu(const NoteBatchRequest& request)
      : frames_(request.frames), crew_(WorkerCrew::one_a_core()) {
    for (int worker = 0; worker < crew_.workers(); ++worker) players_.push_back(std::make_unique<Player>());
  }

  void render(Queue& queue, std::span<const VoiceRule::Constants> patches,
              std::span<const NoteBatch::Note> notes, float* samples) override {
    queue.synchronize();
    crew_.run((notes.size() + kTogether - 1) / kTogether, [&](std::size_t part, int worker) noexcept {
      const std::size_t first = part * kTogether;
      players_[static_cast<std::size_t>(worker)]->play(
          patches, notes.subspan(first, std::min(kTogether, notes.size() - first)), frames_,
          samples + first * static_cast<std::size_t>(frames_) * 2);
    });
  }

 private:
  int frames_;
  std::vector<std::unique_ptr<Player>> players_;
  WorkerCrew crew_;
};

}  // namespace

std::unique_ptr<NoteBatchTwin> make_note_batch_cpu(Device /*device*/, const NoteBatchRequest& request) {
  return std::make_unique<NoteBatchCpu>(request);
}

}  // namespace ringwave::synth
