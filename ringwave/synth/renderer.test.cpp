// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/renderer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/dsp/loudness.hpp"
#include "ringwave/music/preset.hpp"
#include "ringwave/synth/built_in_patches.hpp"
#include "ringwave/synth/performer.hpp"
#include "tests/accuracy.hpp"
#include "tests/test_label.hpp"

namespace ringwave::synth {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int kRateHz = 48000;
// The twins add up in one order but round a product and a sum in one step or in two.
constexpr double kLeastParityDb = 100;

/// Some seconds of a preset, as a station of a renderer plays it.
std::vector<float> play(Renderer& renderer, int station, std::string_view preset, std::uint64_t seed,
                        int frames, const std::vector<int>& blocks, const StationEffects& effects) {
  music::Conductor conductor(music::preset_of_name(preset).settings, seed, kRateHz);
  Performer performer({.station = station, .voices = 16, .spares = 4}, renderer.spec().patches);
  EXPECT_EQ(renderer.start(station, effects), Status::ok);
  std::vector<VoiceEvent> events;
  std::vector<float> heard;
  std::size_t turn = 0;
  for (int done = 0; done < frames;) {
    const int count = std::min(blocks[turn++ % blocks.size()], frames - done);
    while (conductor.next_frame() < performer.clock() + count) {
      const auto phrase = conductor.next_phrase();
      performer.add(notes_of(phrase));
    }
    events.clear();
    performer.perform(count, 0, events);
    EXPECT_EQ(renderer.submit(events, count), Status::ok);
    EXPECT_EQ(renderer.fetch(), Status::ok);
    const auto block = renderer.samples(station);
    heard.insert(heard.end(), block.begin(), block.end());
    done += count;
  }
  return heard;
}

/// A preset's, with a loudness to come to.
StationEffects effects_for(std::string_view preset) {
  StationEffects effects = effects_of(music::preset_of_name(preset).settings);
  effects.loudness_lufs = -20;
  return effects;
}

std::vector<float> play(Device device, std::string_view preset, std::uint64_t seed, int frames,
                        const std::vector<int>& blocks) {
  Renderer renderer(device, {.stations = 3});
  return play(renderer, 1, preset, seed, frames, blocks, effects_for(preset));
}

class RendererOn : public testing::TestWithParam<Device> {};

TEST_P(RendererOn, IsTheSameForBlocksOfAnySize) {
  constexpr int kFrames = kRateHz / 2;
  const std::vector<float> whole = play(GetParam(), "bright", 7, kFrames, {480});
  EXPECT_GT(*std::ranges::max_element(whole), 0.01F);
  EXPECT_EQ(play(GetParam(), "bright", 7, kFrames, {480}), whole) << "twice";
  EXPECT_EQ(play(GetParam(), "bright", 7, kFrames, {31, 1, 480, 16, 100}), whole);
  EXPECT_EQ(play(GetParam(), "bright", 7, 4000, {1}),
            std::vector<float>(whole.begin(), whole.begin() + 8000));
}

TEST_P(RendererOn, IsWhatTheCpuPlays) {
  constexpr int kFrames = 6 * kRateHz;
  const std::vector<float> truth = play(Device::cpu(), "focus", 3, kFrames, {480});
  EXPECT_GT(accuracy_db(play(GetParam(), "focus", 3, kFrames, {480}), truth), kLeastParityDb);
}

TEST_P(RendererOn, StationsKnowNothingOfEachOther) {
  constexpr int kFrames = kRateHz / 4;
  const std::vector<float> alone = play(GetParam(), "bright", 5, kFrames, {480});
  Renderer renderer(GetParam(), {.stations = 40});
  for (const int other : {0, 2, 39}) ASSERT_EQ(renderer.start(other, {}), Status::ok);
  std::vector<VoiceEvent> events;
  for (const int other : {0, 2, 39})
    for (std::int16_t voice = 0; voice < 20; ++voice)
      events.push_back({.station = other, .voice = voice, .patch = 0, .key = 50.0F + voice});
  ASSERT_EQ(renderer.submit(events, 480), Status::ok);
  ASSERT_EQ(renderer.fetch(), Status::ok);
  const std::vector<float> among = play(renderer, 1, "bright", 5, kFrames, {480}, effects_for("bright"));
  EXPECT_EQ(among, alone) << "and it does not matter when a station begins";
  for (const int other : {0, 2, 39}) EXPECT_NE(renderer.samples(other)[100], 0.0F);
  for (const int silent : {3, 38}) EXPECT_THAT(renderer.samples(silent), testing::Each(0.0F));
}

TEST_P(RendererOn, WhatStopsFadesAndItsPlaceStartsAfresh) {
  Renderer renderer(GetParam(), {.stations = 2});
  const std::vector<float> first = play(renderer, 1, "bright", 5, kRateHz / 2, {480}, {});
  ASSERT_EQ(renderer.stop(1), Status::ok);
  float last = 1;
  float before = first[first.size() - 2];
  float steepest = 0;
  while (renderer.is_playing(1)) {
    ASSERT_EQ(renderer.submit({}, 480), Status::ok);
    ASSERT_EQ(renderer.fetch(), Status::ok);
    const auto block = renderer.samples(1);
    for (std::size_t n = 0; n < block.size(); n += 2) {
      steepest = std::max(steepest, std::abs(block[n] - before));
      before = block[n];
    }
    if (!block.empty()) last = std::abs(block.back());
  }
  EXPECT_LT(last, 1e-4F);
  EXPECT_LT(steepest, 0.1F) << "no click";
  EXPECT_EQ(renderer.start(2, {}), Status::wrong_shape) << "there is no such station";
  EXPECT_EQ(play(renderer, 1, "bright", 5, kRateHz / 2, {480}, {}), first);
}

TEST_P(RendererOn, OtherEffectsComeInWithoutAClick) {
  Renderer renderer(GetParam(), {.voices = 4});
  ASSERT_EQ(renderer.start(0, {}), Status::ok);
  // One sine, held.
  std::vector<VoiceEvent> events{{.voice = 0, .patch = 4, .key = 57}};
  std::vector<float> left;
  for (int block = 0; block < 400; ++block) {
    if (block % 50 == 49) {
      StationEffects other;
      other.tone = {.bass_db = block % 100 == 49 ? 12.0 : -12.0, .treble_db = 6};
      other.chorus.level = block % 100 == 49 ? 1 : 0;
      other.delay = {.level = 1, .seconds = block % 100 == 49 ? 0.1 : 0.55, .feedback = 0.8};
      other.room.level = block % 100 == 49 ? 1 : 0;
      other.gain_db = block % 100 == 49 ? -20 : 6;
      ASSERT_EQ(renderer.set(0, other), Status::ok);
    }
    ASSERT_EQ(renderer.submit(events, 200), Status::ok);
    events.clear();
    ASSERT_EQ(renderer.fetch(), Status::ok);
    for (std::size_t n = 0; n < 400; n += 2) left.push_back(renderer.samples(0)[n]);
  }
  // A jump of a hundredth would stand far out of the curvature of a sine of 220 Hz and its partial.
  float most = 0;
  for (std::size_t n = 2; n < left.size(); ++n)
    most = std::max(most, std::abs(left[n] - 2 * left[n - 1] + left[n - 2]));
  EXPECT_LT(most, 0.02F);
}

TEST_P(RendererOn, NeverPassesTheCeilingHoweverLoudItIs) {
  Renderer renderer(GetParam(), {.voices = 32});
  ASSERT_EQ(renderer.start(0, {.gain_db = 24, .ceiling_dbtp = -1}), Status::ok);
  dsp::Loudness meter({.channels = 2, .sample_rate_hz = kRateHz});
  std::vector<float> sides(960);
  std::vector<VoiceEvent> events;
  for (int block = 0; block < 300; ++block) {
    events.clear();
    if (block % 20 == 0)
      for (std::int16_t voice = 0; voice < 32; ++voice)
        events.push_back({.frame = 11 * voice,
                          .voice = voice,
                          .patch = static_cast<std::uint8_t>(voice % 8),
                          .key = static_cast<float>(36 + (voice * 7 + block) % 48),
                          .pan = voice % 2 == 0 ? -1.0F : 1.0F,
                          .seed = static_cast<std::uint32_t>(block + voice)});
    ASSERT_EQ(renderer.submit(events, 480), Status::ok);
    ASSERT_EQ(renderer.fetch(), Status::ok);
    const auto heard = renderer.samples(0);
    for (std::size_t n = 0; n < heard.size(); ++n) sides[n % 2 * 480 + n / 2] = heard[n];
    meter.add(BlockView<const float>(sides.data(), 2, 480));
  }
  EXPECT_LT(meter.true_peak_dbtp(), -1);
  EXPECT_GT(meter.true_peak_dbtp(), -3) << "it comes near";
}

TEST_P(RendererOn, SixteenBitsAreTheFloatsWithDither) {
  Renderer floats(GetParam(), {});
  Renderer shorts(GetParam(), {.format = Renderer::Format::int16});
  std::vector<VoiceEvent> events{{.patch = 0, .key = 50}};
  for (Renderer* renderer : {&floats, &shorts}) ASSERT_EQ(renderer->start(0, {}), Status::ok);
  double sum = 0;
  double squares = 0;
  for (int block = 0; block < 100; ++block) {
    for (Renderer* renderer : {&floats, &shorts}) {
      ASSERT_EQ(renderer->submit(events, 480), Status::ok);
      ASSERT_EQ(renderer->fetch(), Status::ok);
    }
    events.clear();
    const auto x = floats.samples(0);
    const auto y = shorts.pcm(0);
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t n = 0; n < x.size(); ++n) {
      const double error = y[n] - static_cast<double>(x[n]) * 32768;
      ASSERT_LE(std::abs(error), 1.51);
      sum += error;
      squares += error * error;
    }
  }
  EXPECT_NEAR(sum / 96000, 0, 0.01);
  EXPECT_NEAR(squares / 96000, 0.25, 0.01) << "a sixth of the dither and a twelfth of the rounding";
}

TEST_P(RendererOn, TwoBlocksMayBeInFlight) {
  Renderer renderer(GetParam(), {});
  ASSERT_EQ(renderer.fetch(), Status::wrong_shape) << "nothing was submitted";
  ASSERT_EQ(renderer.start(0, {}), Status::ok);
  const std::vector<VoiceEvent> events{{.patch = 3}};
  ASSERT_EQ(renderer.submit(events, 480), Status::ok);
  ASSERT_EQ(renderer.submit({}, 100), Status::ok);
  EXPECT_EQ(renderer.submit({}, 100), Status::busy);
  ASSERT_EQ(renderer.fetch(), Status::ok);
  ASSERT_EQ(renderer.samples(0).size(), 960U);
  const std::vector<float> first(renderer.samples(0).begin(), renderer.samples(0).end());
  ASSERT_EQ(renderer.submit({}, 480), Status::ok) << "while the first is being read";
  EXPECT_EQ(first, std::vector<float>(renderer.samples(0).begin(), renderer.samples(0).end()));
  ASSERT_EQ(renderer.fetch(), Status::ok);
  EXPECT_EQ(renderer.samples(0).size(), 200U);
  ASSERT_EQ(renderer.fetch(), Status::ok);
  EXPECT_EQ(renderer.clock(), 1060);
}

TEST_P(RendererOn, EventsThatMakeNoSenseAreDroppedAndCounted) {
  Renderer renderer(GetParam(), {.stations = 2, .voices = 4});
  ASSERT_EQ(renderer.start(0, {}), Status::ok);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<VoiceEvent> events{{.station = 1}, {.station = -1}, {.station = 2},      {.frame = 480},
                                       {.frame = -1},  {.voice = 4},    {.voice = -1},       {.patch = 200},
                                       {.key = nan},   {.key = 1e9F},   {.velocity = 1.01F}, {.pan = nan}};
  ASSERT_EQ(renderer.submit(events, 480), Status::ok);
  ASSERT_EQ(renderer.fetch(), Status::ok);
  EXPECT_EQ(renderer.dropped_events(), events.size());
  EXPECT_THAT(renderer.samples(0), testing::Each(0.0F));
  EXPECT_EQ(renderer.submit({}, 481), Status::wrong_shape);
  EXPECT_EQ(renderer.submit({}, 0), Status::wrong_shape);
}

INSTANTIATE_TEST_SUITE_P(Devices, RendererOn, testing::ValuesIn(Device::all()),
                         [](const auto& test) { return device_label(test.param); });

TEST(Renderer, IsTheSameForAnyNumberOfThreads) {
  constexpr int kStations = 100;
  const auto heard_with = [](int threads) {
    Renderer renderer(Device::cpu(),
                      {.stations = kStations, .voices = 4, .max_block_frames = 100, .threads = threads});
    std::vector<VoiceEvent> events;
    for (int station = 0; station < kStations; station += station % 7 == 0 ? 2 : 1) {
      EXPECT_EQ(renderer.start(station, {}), Status::ok);
      for (std::int16_t voice = 0; voice < 4; ++voice)
        events.push_back({.station = station,
                          .frame = station % 60 + 32,
                          .voice = voice,
                          .patch = static_cast<std::uint8_t>((station + voice) % 8),
                          .key = static_cast<float>(40 + station % 30)});
    }
    std::vector<float> heard;
    for (int block = 0; block < 30; ++block) {
      EXPECT_EQ(renderer.submit(events, 100), Status::ok);
      EXPECT_EQ(renderer.fetch(), Status::ok);
      events.clear();
      for (int station = 0; station < kStations; ++station)
        heard.insert(heard.end(), renderer.samples(station).begin(), renderer.samples(station).end());
    }
    return heard;
  };
  const std::vector<float> alone = heard_with(1);
  EXPECT_GT(*std::ranges::max_element(alone), 0.01F);
  for (const int threads : {2, 5, 64}) EXPECT_EQ(heard_with(threads), alone) << threads << " threads";
}

TEST(Renderer, RefusesNumbersOutOfRange) {
  const Device cpu = Device::cpu();
  EXPECT_THAT([&] { Renderer(cpu, {.stations = 0}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("0 stations")));
  EXPECT_THROW(Renderer(cpu, {.voices = 129}), InvalidArgument);
  EXPECT_THROW(Renderer(cpu, {.max_block_frames = 4097}), InvalidArgument);
  EXPECT_THROW(Renderer(cpu, {.sample_rate_hz = 7999}), InvalidArgument);
  EXPECT_THROW(Renderer(cpu, {.threads = -1}), InvalidArgument);
  EXPECT_THROW(Renderer(cpu, {.patches = std::vector<Patch>(257)}), InvalidArgument);
}

TEST(Renderer, AStationTakesLittleMemory) {
  const Renderer renderer(Device::cpu(), {});
  EXPECT_LT(renderer.bytes_per_station(), 256U * 1024);
  EXPECT_LT(renderer.bytes_per_station() - Renderer(Device::cpu(), {.voices = 1}).bytes_per_station(),
            19U * 4096);
}

}  // namespace
}  // namespace ringwave::synth
