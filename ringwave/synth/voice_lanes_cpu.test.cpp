// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/voice_lanes_cpu.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "ringwave/synth/built_in_patches.hpp"

namespace ringwave::synth {
namespace {

constexpr double kRateHz = 48000;
using Rule = VoiceRule;

/// The built-in patches, and one for each pair of waves and each response, with something on every wire.
std::vector<Patch> patches() {
  std::vector<Patch> made(built_in_patches().begin(), built_in_patches().end());
  for (int number = 0; number < 16; ++number) {
    Patch patch{.name = "waves " + std::to_string(number)};
    const auto first = static_cast<Patch::Wave>(number % 4);
    const auto second = static_cast<Patch::Wave>(number / 4);
    patch.vcos = {Patch::Vco{.wave = first, .width = 0.97, .level = 0.4},
                  Patch::Vco{.wave = second, .semitones = 11, .width = 0.3, .level = 0.3}};
    patch.lfos = {Patch::Lfo{.wave = second, .hz = 3}, Patch::Lfo{.wave = first, .hz = 30}};
    patch.noise_level = 0.1;
    patch.filter = {.response = static_cast<Patch::Response>(number % 3), .hz = 900, .q = 3, .key = 0.5};
    for (Adsr& envelope : patch.envelopes)
      envelope = {.attack_s = 0.002, .decay_s = 0.004, .sustain = 0.3, .release_s = 0.003};
    patch.glide_s = 0.01;
    for (int wire = 0; wire < Patch::kTargets; ++wire)
      patch.wires.push_back({static_cast<Patch::Source>((wire + number) % Patch::kSources),
                             static_cast<Patch::Target>(wire), wire < 2 ? 5 : 0.4});
    made.push_back(patch);
  }
  return made;
}

/// All of a state as words, so that a zero's sign counts.
std::vector<std::uint32_t> words_of(const Rule::State& s) {
  std::vector<std::uint32_t> words{s.phases[0], s.phases[1],     s.steps[0],      s.steps[1], s.widths[0],
                                   s.widths[1], s.lfo_phases[0], s.lfo_phases[1], s.noise};
  const auto add = [&](auto... values) { (words.push_back(std::bit_cast<std::uint32_t>(values)), ...); };
  const auto add_envelope = [&](const EnvelopeRule::State& envelope) {
    add(envelope.away);
    words.push_back(static_cast<std::uint32_t>(envelope.stage));
  };
  add_envelope(s.amp);
  for (const EnvelopeRule::State& envelope : s.slow_envelopes) add_envelope(envelope);
  for (const Rule::Lines& lines : {s.now, s.slope})
    add(lines.levels[0], lines.levels[1], lines.noise, lines.g, lines.k, lines.left, lines.right);
  add(s.filter.first, s.filter.second, s.key, s.pitch, s.velocity, s.pan);
  return words;
}

TEST(VoiceLanes, KeepAVoiceAsItIs) {
  const Rule::Constants c(built_in_patches()[0], kRateHz);
  Rule::State state;
  Rule::begin(c, state, {.key = 50, .velocity = 0.7F, .pan = 0.3F, .seed = 9});
  for (int n = 0; n < 100; ++n) {
    if (n % Rule::kControlFrames == 0) Rule::control(c, state);
    (void)Rule::step(c, state);
  }
  VoiceLanes lanes;
  EXPECT_TRUE(lanes.is_silent(5));
  lanes.put(5, state);
  EXPECT_FALSE(lanes.is_silent(5));
  EXPECT_TRUE(lanes.is_silent(4));
  EXPECT_EQ(words_of(lanes.at(5)), words_of(state));
}

/// Every operation has one right answer, so that nothing less than every bit is asked for.
TEST(VoiceLanes, PlayWhatTheRulePlaysToTheBit) {
  std::mt19937 random(4);
  const auto up_to = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
  for (const Patch& patch : patches()) {
    SCOPED_TRACE(patch.name);
    const Rule::Constants c(patch, kRateHz);
    const auto voices = static_cast<std::size_t>(1 + up_to(15));
    std::vector<Rule::State> truth(VoiceLanes::kLanes);
    auto lanes = std::make_unique<VoiceLanes>();
    auto rows = std::make_unique<VoiceRows>();
    std::int64_t clock = up_to(1000);
    for (int round = 0; round < 400; ++round) {
      for (std::size_t lane = 0; lane < voices; ++lane) {
        const int what = up_to(round < 10 ? 3 : 40);
        if (what > 3) continue;
        truth[lane] = lanes->at(lane);
        if (what == 0)
          Rule::begin(c, truth[lane],
                      {static_cast<float>(up_to(1270)) / 10, static_cast<float>(up_to(100)) / 100,
                       static_cast<float>(up_to(200)) / 100 - 1, static_cast<std::uint32_t>(random())});
        if (what == 1) Rule::release(c, truth[lane]);
        if (what == 2) Rule::fade(c, truth[lane]);
        if (what == 3) truth[lane].key = static_cast<float>(up_to(120));
        lanes->put(lane, truth[lane]);
      }
      const int frames = 1 + up_to(kChunkFrames - 1);
      play_lanes(c, *lanes, voices, clock, frames, *rows);
      for (std::size_t lane = 0; lane < voices; ++lane) {
        // What a silent voice is besides is forgotten when it begins.
        if (Rule::is_silent(truth[lane])) {
          ASSERT_TRUE(lanes->is_silent(lane));
          continue;
        }
        for (int n = 0; n < frames; ++n) {
          if ((clock + n) % Rule::kControlFrames == 0) Rule::control(c, truth[lane]);
          const Rule::Frame frame = Rule::step(c, truth[lane]);
          const auto at = static_cast<std::size_t>(n);
          ASSERT_EQ(std::bit_cast<std::uint32_t>(rows->left[lane][at]),
                    std::bit_cast<std::uint32_t>(frame.left))
              << "lane " << lane << ", frame " << n << " of round " << round;
          ASSERT_EQ(std::bit_cast<std::uint32_t>(rows->right[lane][at]),
                    std::bit_cast<std::uint32_t>(frame.right));
        }
        ASSERT_EQ(words_of(lanes->at(lane)), words_of(truth[lane])) << "lane " << lane << ", round " << round;
      }
      clock += frames;
    }
  }
}

}  // namespace
}  // namespace ringwave::synth
