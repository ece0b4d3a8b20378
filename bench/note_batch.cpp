// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/note_batch.hpp"

#include <memory>
#include <string>
#include <vector>

#include "bench/parity.hpp"
#include "bench/table.hpp"
#include "ringwave/synth/voice_math.hpp"

namespace ringwave::bench {
namespace {

using synth::NoteBatch;
using synth::Patch;

constexpr int kRateHz = 44100;
constexpr int kFrames = 4 * kRateHz;
constexpr double kLeastDb = 100;  // as the twins' test asks for

/// Everything that the voice has, at work: both oscillators, noise, both slow oscillators, all six envelopes,
/// the filter, wires to every kind of target. No two notes have the same patch.
Patch busy_patch(int number) {
  using Source = Patch::Source;
  using Target = Patch::Target;
  const double share = (number * 37 % 101) / 100.0;
  Patch patch;
  patch.name = "busy";
  patch.vcos[0] = {Patch::Wave::saw, 0, -5 - 10 * share, 0.5, 0.5};
  patch.vcos[1] = {number % 2 == 0 ? Patch::Wave::pulse : Patch::Wave::sine, 12 * share, 5, 0.3 + 0.4 * share,
                   0.4};
  patch.noise_level = 0.05 + 0.1 * share;
  patch.lfos = {{{Patch::Wave::sine, 0.5 + 6 * share}, {Patch::Wave::triangle, 3 - 2 * share}}};
  for (std::size_t i = 0; i < patch.envelopes.size(); ++i)
    patch.envelopes[i] = {0.01 + 0.2 * share, 0.3, 0.6, 1 + share};
  patch.filter = {Patch::Response::low, 500 + 3000 * share, 0.8 + 3 * share, 0.5};
  patch.wires = {{Source::env2, Target::pitch1, 0.5},  {Source::env3, Target::cutoff, 2},
                 {Source::env4, Target::lfo1, 1},      {Source::env5, Target::noise, 0.1},
                 {Source::env6, Target::level2, -0.2}, {Source::lfo1, Target::pitch2, 0.3},
                 {Source::lfo1, Target::width2, 0.1},  {Source::lfo2, Target::cutoff, 0.5},
                 {Source::lfo2, Target::pan, 0.4},     {Source::velocity, Target::resonance, 1}};
  return patch;
}

/// Notes of four seconds, from patches to samples in the device's memory.
class Notes {
 public:
  Notes(Device device, int notes)
      : batch_(device, {.notes = notes, .frames = kFrames, .sample_rate_hz = kRateHz}),
        queue_(batch_.device()),
        samples_(batch_.device(), batch_.floats()) {
    for (int i = 0; i < notes; ++i) {
      patches_.push_back(busy_patch(i));
      notes_.push_back({.patch = i,
                        .key = static_cast<float>(36 + i * 5 % 48),
                        .velocity = 0.8F,
                        .seed = static_cast<std::uint32_t>(i + 1),
                        .held_frames = 3 * kRateHz});
    }
  }

  void play() { batch_.render(queue_, patches_, notes_, samples_); }

  /// The last note is what the rule of a voice says.
  [[nodiscard]] Check check() {
    const synth::VoiceRule::Constants constants(patches_.back(), kRateHz);
    const NoteBatch::Note& note = notes_.back();
    synth::VoiceRule::State state;
    synth::VoiceRule::begin(constants, state, {note.key, note.velocity, note.pan, note.seed});
    const auto found = samples_.host(queue_).last(2 * kFrames);
    Parity parity;
    for (int n = 0; n < kFrames; ++n) {
      if (n == note.held_frames) synth::VoiceRule::release(constants, state);
      if (n % synth::VoiceRule::kControlFrames == 0) synth::VoiceRule::control(constants, state);
      const auto frame = synth::VoiceRule::step(constants, state);
      const auto at = 2 * static_cast<std::size_t>(n);
      parity.add(static_cast<double>(frame.left), static_cast<double>(found[at]));
      parity.add(static_cast<double>(frame.right), static_cast<double>(found[at + 1]));
    }
    return parity.check(kLeastDb);
  }

 private:
  NoteBatch batch_;
  Queue queue_;
  Buffer<float> samples_;
  std::vector<Patch> patches_;
  std::vector<NoteBatch::Note> notes_;
};

Duel duel(Device device, int notes, double times_real_time) {
  auto played = std::make_shared<Notes>(device, notes);
  Duel made;
  made.ours = {"notes side by side", 1, timed([played](std::size_t) { played->play(); }),
               [played] { return played->check(); }};
  const double seconds = 4.0 * notes;
  made.bytes = 8.0 * kFrames * notes;
  made.least_samples = device.kind() == DeviceKind::cpu ? 5 : 200;
  if (times_real_time > 0) made.goal.at_most_ns = 1e9 * seconds / times_real_time;
  return made;
}

}  // namespace

std::vector<Case> note_batch_cases(Devices devices) {
  std::vector<Case> cases;
  for (const Device device : devices) {
    const bool is_cpu = device.kind() == DeviceKind::cpu;
    const auto add = [&](int notes, double times) {
      cases.push_back({"note_batch/" + std::to_string(notes) + "x4s/" + device.name(),
                       "notes of the whole modular voice, 4 s at 44.1 kHz, left on the device", device,
                       [device, notes, times] { return duel(device, notes, times); }});
    };
    // Ten times what torchsynth's Voice does on an H200.
    if (is_cpu) add(32, 0);
    if (!is_cpu) add(128, 270e3);
    if (!is_cpu) add(512, 560e3);
  }
  return cases;
}

}  // namespace ringwave::bench
