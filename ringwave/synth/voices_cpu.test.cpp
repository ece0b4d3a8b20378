// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/voices_cpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <tuple>
#include <vector>

#include "ringwave/synth/built_in_patches.hpp"

namespace ringwave::synth {
namespace {

constexpr std::size_t kStations = 5;
constexpr std::size_t kSlots = 9;
using Voice = VoicesCpu::Voice;
using Side = std::array<float, kChunkFrames>;

std::vector<VoiceRule::Constants> constants() {
  std::vector<VoiceRule::Constants> made;
  for (const Patch& patch : built_in_patches()) made.emplace_back(patch, 48000.0);
  return made;
}

/// The slow truth: one voice after the other, one frame after the other.
class OneByOne {
 public:
  explicit OneByOne(std::span<const VoiceRule::Constants> patches) : patches_(patches) {}

  void add(std::span<Voice> voices, std::span<const VoiceEvent> events, std::int64_t clock, int first,
           int frames, Side& left, Side& right) const {
    for (std::size_t slot = 0; slot < voices.size(); ++slot) {
      Voice& voice = voices[slot];
      bool is_silent = VoiceRule::is_silent(voice.state);
      for (int n = 0; n < frames; ++n) {
        for (const VoiceEvent& event : events) {
          if (static_cast<std::size_t>(event.voice) != slot || event.frame != first + n) continue;
          if (event.kind == VoiceEvent::Kind::begin) voice.patch = event.patch;
          VoiceRule::happen(patches_[voice.patch], voice.state, event);
          is_silent = VoiceRule::is_silent(voice.state);
        }
        if (is_silent) continue;
        const VoiceRule::Constants& c = patches_[voice.patch];
        if ((clock + n) % VoiceRule::kControlFrames == 0) VoiceRule::control(c, voice.state);
        const VoiceRule::Frame frame = VoiceRule::step(c, voice.state);
        left[static_cast<std::size_t>(n)] += frame.left;
        right[static_cast<std::size_t>(n)] += frame.right;
      }
    }
  }

 private:
  std::span<const VoiceRule::Constants> patches_;
};

/// What may happen in a block: notes at any frame, on voices that sound or do not, also with another patch.
class Chance {
 public:
  [[nodiscard]] int up_to(int most) { return std::uniform_int_distribution<int>(0, most)(random_); }

  [[nodiscard]] std::vector<VoiceEvent> events(int frames, int patches) {
    std::vector<VoiceEvent> made(static_cast<std::size_t>(up_to(6)));
    for (VoiceEvent& event : made)
      event = {.frame = up_to(frames - 1),
               .voice = static_cast<std::int16_t>(up_to(kSlots - 1)),
               .kind = static_cast<VoiceEvent::Kind>(up_to(3)),
               .patch = static_cast<std::uint8_t>(up_to(patches - 1)),
               .key = static_cast<float>(20 + up_to(90)),
               .velocity = static_cast<float>(1 + up_to(99)) / 100,
               .pan = static_cast<float>(up_to(200)) / 100 - 1,
               .seed = static_cast<std::uint32_t>(random_())};
    std::ranges::stable_sort(made, [](const VoiceEvent& a, const VoiceEvent& b) {
      return std::tuple(a.voice, a.frame) < std::tuple(b.voice, b.frame);
    });
    return made;
  }

 private:
  std::mt19937 random_{11};
};

bool same_bits(const Side& a, const Side& b) {
  return std::ranges::equal(
      a, b, {}, [](float x) { return std::bit_cast<std::uint32_t>(x); },
      [](float x) { return std::bit_cast<std::uint32_t>(x); });
}

TEST(VoicesCpu, PlayTogetherWhatTheyPlayOneByOneToTheBit) {
  const std::vector<VoiceRule::Constants> patches = constants();
  const OneByOne one_by_one(patches);
  VoicesCpu together(patches, kStations, kStations * kSlots);
  std::vector<Voice> voices(kStations * kSlots);
  std::vector<Voice> truth = voices;
  Chance chance;
  std::int64_t clock = 17;
  float loudest = 0;
  for (int block = 0; block < 400; ++block) {
    const int frames = 1 + chance.up_to(block % 2 == 0 ? 479 : 40);
    std::array<std::vector<VoiceEvent>, kStations> events;
    for (std::size_t station = 0; station < kStations; ++station) {
      events[station] = chance.events(frames, static_cast<int>(patches.size()));
      together.sit(std::span(voices).subspan(station * kSlots, kSlots), events[station]);
    }
    int count = 0;
    for (int first = 0; first < frames; first += count) {
      const std::int64_t now = clock + first;
      count = std::min(kChunkFrames - static_cast<int>(now % kChunkFrames), frames - first);
      together.play(now, first, count);
      for (std::size_t station = 0; station < kStations; ++station) {
        Side left{};
        Side right{};
        Side left_truth{};
        Side right_truth{};
        const auto size = static_cast<std::size_t>(count);
        together.add(station, std::span(left).first(size), std::span(right).first(size));
        one_by_one.add(std::span(truth).subspan(station * kSlots, kSlots), events[station], now, first, count,
                       left_truth, right_truth);
        ASSERT_TRUE(same_bits(left, left_truth) && same_bits(right, right_truth))
            << "block " << block << ", station " << station << ", frames from " << first;
        loudest = std::max(loudest, *std::ranges::max_element(left));
      }
    }
    together.leave();
    for (std::size_t i = 0; i < voices.size(); ++i) {
      ASSERT_EQ(voices[i].patch, truth[i].patch);
      ASSERT_EQ(voices[i].state.amp.stage, truth[i].state.amp.stage);
      ASSERT_EQ(voices[i].state.amp.away, truth[i].state.amp.away);
    }
    clock += frames;
  }
  EXPECT_GT(loudest, 0.1F);
}

}  // namespace
}  // namespace ringwave::synth
