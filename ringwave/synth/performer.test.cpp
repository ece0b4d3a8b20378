// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/performer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "ringwave/synth/built_in_patches.hpp"

namespace ringwave::synth {
namespace {

using Kind = VoiceEvent::Kind;

constexpr int kFrames = 122880;  // of all block sizes below a multiple
constexpr std::uint8_t kShort = 8;

/// The built-in ones, and one that rings so shortly that its voice is free again within a block.
std::vector<Patch> patches() {
  std::vector<Patch> all(built_in_patches().begin(), built_in_patches().end());
  all.emplace_back().envelopes[0].release_s = 0.005;
  return all;
}

/// Everything that happens, each at its frame from the beginning, in the order of time.
std::vector<std::tuple<int, int, Kind, float>> performed(Performer performer, int block) {
  std::vector<std::tuple<int, int, Kind, float>> all;
  std::vector<VoiceEvent> events;
  for (int done = 0; done < kFrames; done += block) {
    events.clear();
    performer.perform(block, 0, events);
    for (const VoiceEvent& event : events)
      all.emplace_back(done + event.frame, event.voice, event.kind,
                       event.kind == Kind::begin || event.kind == Kind::bend ? event.key : 0);
  }
  std::ranges::sort(all);
  return all;
}

/// More notes than voices, among them such that ring shortly, and bends that meet their ends.
Performer crowded() {
  std::mt19937 random(5);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Performer performer({.voices = 6, .spares = 2}, patches());
  std::vector<Performer::Note> notes;
  std::vector<Performer::Bend> bends;
  for (int i = 0; i < 800; ++i) {
    const std::int64_t begin = below(kFrames);
    notes.push_back({.begin_frame = begin,
                     .end_frame = begin + below(1000),
                     .key = static_cast<float>(40 + below(40)),
                     .patch = static_cast<std::uint8_t>(below(6) == 0 ? below(8) : kShort),
                     .channel = static_cast<std::uint8_t>(below(3))});
    bends.push_back({below(kFrames), static_cast<std::uint8_t>(below(3)), static_cast<float>(below(4))});
  }
  std::ranges::stable_sort(notes, {}, &Performer::Note::begin_frame);
  std::ranges::stable_sort(bends, {}, &Performer::Bend::frame);
  performer.add(notes);
  performer.add_bends(bends);
  return performer;
}

TEST(Performer, TheSameHappensInBlocksOfEverySize) {
  const auto expected = performed(crowded(), 1);
  EXPECT_GT(expected.size(), 1500U);
  for (const int block : {64, 480, 4096}) EXPECT_EQ(performed(crowded(), block), expected) << block;
}

TEST(Performer, EveryNoteThatBeginsIsLetGoOrFadedBeforeItsVoiceBeginsAnew) {
  std::vector<int> held(8);
  for (const auto& [frame, voice, kind, key] : performed(crowded(), 4096)) {
    int& holds = held[static_cast<std::size_t>(voice)];
    if (kind == Kind::begin || kind == Kind::release) {
      EXPECT_EQ(holds, kind == Kind::begin ? 0 : 1) << frame;
      holds = kind == Kind::begin ? 1 : 0;
    }
    if (kind == Kind::fade) holds = 0;
  }
}

TEST(Performer, ANoteWithoutLengthIsLetGoAfterItBegan) {
  Performer performer({}, built_in_patches());
  performer.add(std::vector<Performer::Note>{{.begin_frame = 10, .end_frame = 10}});
  std::vector<VoiceEvent> events;
  performer.perform(480, 0, events);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].kind, Kind::begin);
  EXPECT_EQ(events[1].kind, Kind::release);
  EXPECT_GT(events[1].frame, events[0].frame);
}

TEST(Performer, OfManyBendsAtOneFrameTheLastHolds) {
  Performer performer({}, built_in_patches());
  performer.add(std::vector<Performer::Note>{{.begin_frame = 0, .end_frame = 480, .key = 60}});
  performer.add_bends(std::vector<Performer::Bend>{{100, 0, 1}, {100, 1, 7}, {100, 0, 2}, {101, 0, 3}});
  std::vector<VoiceEvent> events;
  performer.perform(480, 0, events);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[1].frame, 100);
  EXPECT_EQ(events[1].key, 62);
  EXPECT_EQ(events[2].frame, 101);
  EXPECT_EQ(events[2].key, 63);
}

}  // namespace
}  // namespace ringwave::synth
