// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "ringwave/music/conductor.hpp"
#include "ringwave/stream/histogram.hpp"
#include "ringwave/stream/live_station.hpp"
#include "tests/realtime/guard.hpp"

namespace ringwave::realtime {
namespace {

using stream::LiveStation;

/// The densest music that there is.
constexpr music::Settings kBusy{
    .bpm = 120, .intensity = 1, .melody_complexity = 1, .progression_variety = 1, .harmonic_density = 1};

TEST(RealtimeStream, AStationPlaysFromPhraseToPhraseWithoutACall) {
  constexpr int kFrames = 960;
  synth::Renderer renderer(
      Device::cpu(),
      {.stations = 1, .max_block_frames = kFrames, .format = synth::Renderer::Format::int16, .threads = 1});
  music::Conductor conductor(kBusy, 11, 48000);
  LiveStation station(0, renderer.spec(), 4, {.notes = synth::notes_of(conductor.next_phrase())});
  for (int i = 0; i < 3; ++i) {
    auto phrase = std::make_unique<LiveStation::Phrase>();
    phrase->begin_frame = conductor.next_frame();
    phrase->notes = synth::notes_of(conductor.next_phrase());
    ASSERT_TRUE(station.offer(std::move(phrase)));
  }
  std::vector<synth::VoiceEvent> events;
  events.reserve(1024);
  std::vector<std::int16_t> block(2 * kFrames);
  stream::Histogram seconds;
  bool ok = true;
  int read = 0;
  RealtimeGuard guard;
  ok &= station.start(renderer) == Status::ok;
  for (int i = 0; i < 4 * 8 * 50; ++i) {
    events.clear();
    const std::int64_t begin = renderer.clock();
    station.perform(renderer, kFrames, events);
    ok &= renderer.submit(events, kFrames) == Status::ok && renderer.fetch() == Status::ok;
    station.hear(renderer, begin);
    read += station.read(block) ? 1 : 0;
    seconds.add(1e-3);
  }
  guard.end();
  EXPECT_EQ(guard.violations(), 0U) << guard.report();
  EXPECT_TRUE(ok);
  EXPECT_EQ(read, 4 * 8 * 50);
  EXPECT_EQ(station.clock(), conductor.next_frame());
  EXPECT_EQ(renderer.dropped_events(), 0U);
  EXPECT_EQ(station.dropped(), 0U);
}

}  // namespace
}  // namespace ringwave::realtime
