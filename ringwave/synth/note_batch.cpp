// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/note_batch.hpp"

#include <exception>
#include <string>
#include <utility>

#include "ringwave/backend/prepare.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/synth/built_in_patches.hpp"
#include "ringwave/synth/note_batch_twins.hpp"

namespace ringwave::synth {
namespace {

void require_valid(const NoteBatch::Spec& spec) {
  const auto require = [](const char* name, int value, int least, int most) {
    if (value < least || value > most)
      throw InvalidArgument("a batch of notes was asked for with " + std::to_string(value) + " " + name +
                            "; use " + std::to_string(least) + " to " + std::to_string(most));
  };
  require("notes", spec.notes, 1, 1 << 16);
  require("frames", spec.frames, 1, 1 << 24);
  require("frames a second", spec.sample_rate_hz, 8000, 192000);
}

void require_valid(const NoteBatch::Note& note, std::size_t number, std::size_t patches) {
  const auto require = [&](bool is_in_range, const char* name, const char* range) {
    if (!is_in_range)
      throw InvalidArgument("note " + std::to_string(number) + " of a batch has a " + name +
                            " out of range; use " + range);
  };
  require(note.patch >= 0 && static_cast<std::size_t>(note.patch) < patches, "patch",
          "the number of one that comes with it");
  require(note.key >= 0 && note.key <= 127, "key", "0 to 127");
  require(note.velocity >= 0 && note.velocity <= 1, "velocity", "0 to 1");
  require(note.pan >= -1 && note.pan <= 1, "pan", "-1 to 1");
  require(note.held_frames >= 0, "time to be held", "0 frames or more");
}

/// Pads of half the length.
class NoteBatchTrial final : public backend::Trial {
 public:
  NoteBatchTrial(Device device, int frames, int notes)
      : batch_(device, {.notes = notes, .frames = frames}),
        queue_(batch_.device()),
        samples_(batch_.device(), batch_.floats()) {
    for (int i = 0; i < notes; ++i)
      notes_.push_back({.key = static_cast<float>(36 + i % 48), .held_frames = frames / 2});
  }
  Status run() noexcept override {
    try {
      batch_.render(queue_, built_in_patches(), notes_, samples_);
      (void)samples_.host(queue_);
      return Status::ok;
    } catch (const std::exception&) {
      return Status::device_lost;
    }
  }

 private:
  NoteBatch batch_;
  Queue queue_;
  Buffer<float> samples_;
  std::vector<NoteBatch::Note> notes_;
};

}  // namespace

NoteBatch::NoteBatch(Device device, const Spec& spec) : spec_(spec) {
  require_valid(spec_);
  auto prepared = backend::prepare<NoteBatch>(device, {std::string(kName), spec_.frames, spec_.notes},
                                              {.notes = spec_.notes, .frames = spec_.frames});
  device_ = prepared.device;
  twin_ = std::move(prepared.twin);
}

NoteBatch::~NoteBatch() = default;
NoteBatch::NoteBatch(NoteBatch&&) noexcept = default;
NoteBatch& NoteBatch::operator=(NoteBatch&&) noexcept = default;

void NoteBatch::render(Queue& queue, std::span<const Patch> patches, std::span<const Note> notes,
                       Buffer<float>& samples) {
  if (notes.size() > static_cast<std::size_t>(spec_.notes))
    throw InvalidArgument(std::to_string(notes.size()) + " notes were given to a batch with room for " +
                          std::to_string(spec_.notes) + "; give it more room, or render in turns");
  if (queue.device() != device_ || samples.home() != device_)
    throw InvalidArgument("a batch of notes on " + device_.name() + " was given a queue of " +
                          queue.device().name() + " and a buffer of " + samples.home().name() +
                          "; make both for the batch's device");
  if (samples.size() < floats_of(static_cast<int>(notes.size())))
    throw InvalidArgument("a batch of " + std::to_string(notes.size()) + " notes needs a buffer of " +
                          std::to_string(floats_of(static_cast<int>(notes.size()))) + " floats; it got " +
                          std::to_string(samples.size()));
  for (std::size_t i = 0; i < notes.size(); ++i) require_valid(notes[i], i, patches.size());
  std::vector<VoiceRule::Constants> constants;
  constants.reserve(patches.size());
  for (const Patch& patch : patches) {
    if (is_circular(patch))
      throw InvalidArgument("the slow oscillators of patch '" + patch.name +
                            "' move each other in a circle; take one of the wires out");
    constants.emplace_back(patch, spec_.sample_rate_hz);
  }
  if (!notes.empty()) twin_->render(queue, constants, notes, samples.overwrite_device().data());
}

backend::OpInfo NoteBatch::info() {
  return {.name = std::string(kName),
          .summary = "notes of the modular voice, many at once and from beginning to end",
          .sizes = {1 << 14, 1 << 17},
          .batches = {1, 16, 128},
          .make_trial = [](Device device, int size, int batch) -> std::unique_ptr<backend::Trial> {
            return std::make_unique<NoteBatchTrial>(device, size, batch);
          },
          .is_offline = true};
}

}  // namespace ringwave::synth
