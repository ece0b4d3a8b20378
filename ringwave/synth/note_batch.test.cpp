// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/note_batch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/synth/built_in_patches.hpp"
#include "ringwave/synth/voice_math.hpp"
#include "tests/accuracy.hpp"
#include "tests/test_label.hpp"

namespace ringwave::synth {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int kRateHz = 44100;
constexpr int kFrames = 20000;  // some tiles of a GPU's, and a part of one

/// What the rule of a voice makes of a note, frame by frame.
std::vector<float> by_rule(const Patch& patch, const NoteBatch::Note& note, int frames) {
  const FlushSubnormals flush;
  const VoiceRule::Constants constants(patch, kRateHz);
  VoiceRule::State state;
  VoiceRule::begin(constants, state, {note.key, note.velocity, note.pan, note.seed});
  std::vector<float> made;
  for (int n = 0; n < frames; ++n) {
    if (n == note.held_frames) VoiceRule::release(constants, state);
    VoiceRule::Frame frame{0, 0};
    if (!VoiceRule::is_silent(state)) {
      if (n % VoiceRule::kControlFrames == 0) VoiceRule::control(constants, state);
      frame = VoiceRule::step(constants, state);
    }
    made.push_back(frame.left);
    made.push_back(frame.right);
  }
  return made;
}

/// Everything moves something.
Patch random_patch(std::mt19937& random, int number) {
  const auto between = [&](double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random);
  };
  const auto one_of = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  Patch patch;
  patch.name = "random " + std::to_string(number);
  for (Patch::Vco& vco : patch.vcos)
    vco = {static_cast<Patch::Wave>(one_of(4)), between(-12, 12), between(-50, 50), between(0.1, 0.9),
           between(0.2, 0.8)};
  patch.noise_level = number % 2 == 0 ? 0 : between(0, 0.3);
  for (Patch::Lfo& lfo : patch.lfos) lfo = {static_cast<Patch::Wave>(one_of(4)), between(0.1, 20)};
  for (Adsr& envelope : patch.envelopes)
    envelope = {between(0, 0.1), between(0.01, 0.3), between(0, 1), between(0.01, 0.2)};
  patch.filter = {Patch::Response::low, between(500, 8000), between(0.5, 20), between(0, 1)};
  for (int wire = 0; wire < 12; ++wire) {
    patch.wires.push_back({static_cast<Patch::Source>(one_of(Patch::kSources)),
                           static_cast<Patch::Target>(one_of(Patch::kTargets)), between(-1, 1)});
    if (is_circular(patch)) patch.wires.pop_back();
  }
  return patch;
}

struct Job {
  std::vector<Patch> patches;
  std::vector<NoteBatch::Note> notes;
};

/// Every built-in patch, and many at random.
Job job() {
  Job made{{built_in_patches().begin(), built_in_patches().end()}, {}};
  std::mt19937 random(5);
  for (int i = 0; i < 40; ++i) made.patches.push_back(random_patch(random, i));
  for (int i = 0; i < static_cast<int>(made.patches.size()); ++i)
    made.notes.push_back({.patch = i,
                          .key = 33.0F + static_cast<float>(i * 7 % 60),
                          .velocity = 0.8F,
                          .pan = i % 2 == 0 ? 0.3F : -1.0F,
                          .seed = static_cast<std::uint32_t>(i + 1),
                          .held_frames = i * 331});
  made.notes[3].held_frames = 0;
  made.notes[4].held_frames = 16 * 100;
  made.notes[5].held_frames = std::numeric_limits<int>::max();
  return made;
}

std::vector<float> play(Device device, const Job& job, int frames) {
  NoteBatch batch(device, {.notes = 64, .frames = frames, .sample_rate_hz = kRateHz});
  Queue queue(batch.device());
  Buffer<float> samples(batch.device(), batch.floats());
  batch.render(queue, job.patches, job.notes, samples);
  std::vector<float> made(batch.floats());
  samples.copy_to(queue, made);
  made.resize(job.notes.size() * static_cast<std::size_t>(frames) * 2);
  return made;
}

class NoteBatchOn : public testing::TestWithParam<Device> {};

TEST_P(NoteBatchOn, IsWhatTheRuleOfAVoiceSays) {
  // On the CPU it is that rule. A GPU's lines begin where they were to end, to a float's last place, and its
  // filters' memories come from products of many windows.
  constexpr double kLeastDb = 100;
  const Job all = job();
  const std::vector<float> found = play(GetParam(), all, kFrames);
  for (std::size_t i = 0; i < all.notes.size(); ++i) {
    const std::vector<float> truth =
        by_rule(all.patches[static_cast<std::size_t>(all.notes[i].patch)], all.notes[i], kFrames);
    const std::vector<float> note(found.begin() + static_cast<std::ptrdiff_t>(i * truth.size()),
                                  found.begin() + static_cast<std::ptrdiff_t>((i + 1) * truth.size()));
    // A note that is let go as it begins makes no sound.
    if (all.notes[i].held_frames > 0) {
      EXPECT_GT(*std::ranges::max_element(truth), 1e-4F) << i;
    }
    if (GetParam() == Device::cpu()) {
      EXPECT_EQ(note, truth) << all.patches[i].name;
    } else {
      EXPECT_GT(accuracy_db(note, truth), kLeastDb) << all.patches[i].name;
    }
  }
}

TEST_P(NoteBatchOn, TheLengthOfABatchCutsOffAndChangesNothing) {
  const Job all = job();
  const std::vector<float> whole = play(GetParam(), all, kFrames);
  for (const int frames : {1, 15, 2048, 2049}) {
    const std::vector<float> part = play(GetParam(), all, frames);
    for (std::size_t i = 0; i < all.notes.size(); ++i)
      for (std::size_t n = 0; n < static_cast<std::size_t>(frames) * 2; ++n)
        ASSERT_EQ(part[i * static_cast<std::size_t>(frames) * 2 + n], whole[i * kFrames * 2 + n])
            << frames << " frames, note " << i << ", sample " << n;
  }
}

TEST_P(NoteBatchOn, NotesOfOnePatchAreThoseNotesAlone) {
  Job many{{patch_of_name("pad")}, {}};
  for (int i = 0; i < 50; ++i)
    many.notes.push_back({.key = 40.0F + static_cast<float>(i % 30), .held_frames = 100 * i});
  const std::vector<float> together = play(GetParam(), many, 4000);
  for (const std::size_t i : {std::size_t{0}, std::size_t{31}, std::size_t{49}}) {
    const std::vector<float> alone = play(GetParam(), {many.patches, {many.notes[i]}}, 4000);
    EXPECT_EQ(alone, std::vector<float>(together.begin() + static_cast<std::ptrdiff_t>(i * 8000),
                                        together.begin() + static_cast<std::ptrdiff_t>((i + 1) * 8000)));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, NoteBatchOn, testing::ValuesIn(Device::all()),
                         [](const auto& test) { return device_label(test.param); });

TEST(NoteBatch, RefusesNumbersOutOfRange) {
  const Device cpu = Device::cpu();
  EXPECT_THAT([&] { NoteBatch(cpu, {.notes = 0}); }, ThrowsMessage<InvalidArgument>(HasSubstr("0 notes")));
  EXPECT_THROW(NoteBatch(cpu, {.notes = 65537}), InvalidArgument);
  EXPECT_THROW(NoteBatch(cpu, {.frames = 0}), InvalidArgument);
  EXPECT_THROW(NoteBatch(cpu, {.sample_rate_hz = 7999}), InvalidArgument);
}

TEST(NoteBatch, RefusesNotesThatCannotBePlayed) {
  NoteBatch batch(Device::cpu(), {.notes = 2, .frames = 100});
  Queue queue(Device::cpu());
  Buffer<float> samples(Device::cpu(), batch.floats());
  const std::vector<Patch> patches(1);
  const auto render = [&](const NoteBatch::Note& note) {
    batch.render(queue, patches, std::vector<NoteBatch::Note>{{}, note}, samples);
  };
  EXPECT_THAT([&] { render({.patch = 1}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("note 1 of a batch has a patch out of range")));
  EXPECT_THROW(render({.patch = -1}), InvalidArgument);
  EXPECT_THROW(render({.key = 128}), InvalidArgument);
  EXPECT_THROW(render({.velocity = std::numeric_limits<float>::quiet_NaN()}), InvalidArgument);
  EXPECT_THROW(render({.pan = 1.1F}), InvalidArgument);
  EXPECT_THROW(render({.held_frames = -1}), InvalidArgument);
  EXPECT_THAT([&] { batch.render(queue, patches, std::vector<NoteBatch::Note>(3), samples); },
              ThrowsMessage<InvalidArgument>(HasSubstr("room for 2")));
  Buffer<float> small(Device::cpu(), 399);
  EXPECT_THAT([&] { batch.render(queue, patches, std::vector<NoteBatch::Note>(2), small); },
              ThrowsMessage<InvalidArgument>(HasSubstr("needs a buffer of 400 floats; it got 399")));
  Patch circle;
  circle.wires = {{Patch::Source::lfo1, Patch::Target::lfo2, 1},
                  {Patch::Source::lfo2, Patch::Target::lfo1, 1}};
  EXPECT_THAT(
      [&] {
        batch.render(queue, {&circle, 1}, std::vector<NoteBatch::Note>(1), samples);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("in a circle")));
  EXPECT_NO_THROW(batch.render(queue, patches, {}, samples));
}

}  // namespace
}  // namespace ringwave::synth
