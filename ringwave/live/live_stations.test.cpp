// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/live_stations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/live/stations_handler.hpp"
#include "ringwave/music/preset.hpp"
#include "ringwave/synth/performer.hpp"
#include "tests/accuracy.hpp"
#include "tests/live_place.hpp"

namespace ringwave::live {
namespace {

using std::chrono::seconds;
using synth::StationEffects;
using synth::VoiceEvent;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int kRateHz = 48000;
constexpr seconds kLong{20};  // longer than a small machine holds a thread up
// As of the renderer's twins: they round a product and a sum in one step or in two.
constexpr double kLeastParityDb = 100;

LiveStations make(const LivePlace& place, int stations, int frames) {
  const auto& [device, way] = place;
  return {device, {.stations = stations, .max_block_frames = frames, .way = way, .deadline = kLong}};
}

/// A band of stations with a preset each, which knows what happens in the next block.
class Band {
 public:
  Band(std::vector<int> stations, std::span<const synth::Patch> patches) {
    for (std::size_t i = 0; i < stations.size(); ++i) {
      const auto& settings = preset(i).settings;
      conductors_.emplace_back(settings, 11 + i, kRateHz);
      performers_.emplace_back(synth::Performer::Spec{.station = stations[i], .voices = 16, .spares = 4},
                               patches);
    }
  }

  static const music::Preset& preset(std::size_t number) {
    return music::built_in_presets()[number % music::built_in_presets().size()];
  }
  static StationEffects effects(std::size_t number) {
    StationEffects made = synth::effects_of(preset(number).settings);
    made.loudness_lufs = -20;
    return made;
  }

  const std::vector<VoiceEvent>& next(int frames) {
    events_.clear();
    for (std::size_t i = 0; i < performers_.size(); ++i) {
      while (conductors_[i].next_frame() < performers_[i].clock() + frames)
        performers_[i].add(synth::notes_of(conductors_[i].next_phrase()));
      performers_[i].perform(frames, 0, events_);
    }
    return events_;
  }

 private:
  std::vector<music::Conductor> conductors_;
  std::vector<synth::Performer> performers_;
  std::vector<VoiceEvent> events_;
};

struct Play {
  int frames = kRateHz;
  std::vector<int> blocks{480};
  std::vector<int> stations{0, 1, 2};
};

/// What the stations play, one after the other, in blocks of those lengths by turns.
template <class Renderer, class Render, class Samples>
std::vector<std::vector<float>> play(Renderer& renderer, std::span<const synth::Patch> patches,
                                     const Play& what, const Render& render, const Samples& samples) {
  Band band(what.stations, patches);
  for (std::size_t i = 0; i < what.stations.size(); ++i)
    EXPECT_EQ(renderer.start(what.stations[i], Band::effects(i)), Status::ok);
  std::vector<std::vector<float>> heard(what.stations.size());
  std::size_t turn = 0;
  for (int done = 0, count = 0; done < what.frames; done += count) {
    count = std::min(what.blocks[turn++ % what.blocks.size()], what.frames - done);
    render(band.next(count), count);
    for (std::size_t i = 0; i < heard.size(); ++i) {
      const std::span<const float> block = samples(what.stations[i]);
      EXPECT_EQ(block.size(), 2 * static_cast<std::size_t>(count));
      heard[i].insert(heard[i].end(), block.begin(), block.end());
    }
  }
  return heard;
}

std::vector<std::vector<float>> play(LiveStations& stations, const Play& what) {
  return play(
      stations, stations.patches(), what,
      [&](const std::vector<VoiceEvent>& events, int frames) {
        ASSERT_EQ(stations.process(events, frames), Status::ok) << to_string(stations.last_miss());
      },
      [&](int station) { return stations.samples(station); });
}

std::vector<std::vector<float>> play(const LivePlace& place, int frames, const Play& what) {
  LiveStations stations = make(place, 3, frames);
  return play(stations, what);
}

std::vector<std::vector<float>> truth(const Play& what, int stations) {
  synth::Renderer renderer(Device::cpu(), {.stations = stations});
  return play(
      renderer, renderer.spec().patches, what,
      [&](const std::vector<VoiceEvent>& events, int frames) {
        ASSERT_EQ(renderer.submit(events, frames), Status::ok);
        ASSERT_EQ(renderer.fetch(), Status::ok);
      },
      [&](int station) { return renderer.samples(station); });
}

class LiveStationsOn : public testing::TestWithParam<LivePlace> {};

TEST_P(LiveStationsOn, AreWhatTheRendererPlays) {
  const Play what{.frames = 4 * kRateHz, .stations = {0, 1, 2, 5, 9}};
  const auto expected = truth(what, 10);
  LiveStations stations = make(GetParam(), 10, 480);
  const auto heard = play(stations, what);
  for (std::size_t i = 0; i < heard.size(); ++i) {
    EXPECT_GT(*std::ranges::max_element(heard[i]), 0.01F);
    EXPECT_GT(accuracy_db(heard[i], expected[i]), kLeastParityDb) << Band::preset(i).name;
  }
  EXPECT_EQ(stations.misses(), 0U);
  EXPECT_EQ(stations.dropped_events(), 0U);
  EXPECT_EQ(stations.clock(), what.frames);
}

TEST_P(LiveStationsOn, EveryPresetIsWhatTheRendererPlays) {
  Play what{.frames = kRateHz, .blocks = {128}, .stations = {}};
  for (int i = 0; i < static_cast<int>(std::min<std::size_t>(32, music::built_in_presets().size())); ++i)
    what.stations.push_back(i);
  const int count = static_cast<int>(what.stations.size());
  const auto expected = truth(what, count);
  LiveStations stations = make(GetParam(), count, 128);
  const auto heard = play(stations, what);
  for (std::size_t i = 0; i < heard.size(); ++i)
    EXPECT_GT(accuracy_db(heard[i], expected[i]), kLeastParityDb) << Band::preset(i).name;
}

TEST_P(LiveStationsOn, AreTheSameForBlocksOfAnySize) {
  constexpr int kFrames = kRateHz / 4;
  const auto whole = play(GetParam(), 480, {.frames = kFrames, .blocks = {480}});
  EXPECT_EQ(play(GetParam(), 480, {.frames = kFrames, .blocks = {31, 1, 480, 129, 100}}), whole);
  for (const int frames : {16, 64, 128})
    EXPECT_EQ(play(GetParam(), frames, {.frames = kFrames, .blocks = {frames}}), whole)
        << "blocks of " << frames;
}

/// Some events of some voices, in the order of a block's.
std::vector<VoiceEvent> anything(std::mt19937& chance, int stations, int voices, int frames) {
  using Kind = VoiceEvent::Kind;
  std::vector<VoiceEvent> events(chance() % 7);
  for (VoiceEvent& event : events) {
    const auto below = [&](int end) { return static_cast<int>(chance() % static_cast<unsigned>(end)); };
    constexpr Kind kKinds[] = {Kind::begin, Kind::begin, Kind::release, Kind::bend, Kind::fade};
    event = {.station = below(stations),
             .frame = below(frames),
             .voice = static_cast<std::int16_t>(below(voices)),
             .kind = kKinds[below(5)],
             .patch = static_cast<std::uint8_t>(below(4)),
             .key = 40.0F + static_cast<float>(below(40)),
             .velocity = 0.7F,
             .seed = static_cast<std::uint32_t>(chance())};
  }
  std::ranges::stable_sort(events, {}, [](const VoiceEvent& event) {
    return std::tuple(event.station, event.voice, event.frame);
  });
  return events;
}

/// What was played ahead as if nothing happened counts up to where something does.
TEST_P(LiveStationsOn, WhateverHappensInAnyFrameIsHeardThere) {
  constexpr int kStations = 2;
  constexpr int kVoices = 12;  // at times a warp has one, at times two
  for (const int frames : {128, 96, 100, 480}) {
    synth::Renderer truth(Device::cpu(), {.stations = kStations, .voices = kVoices});
    const auto& [device, way] = GetParam();
    LiveStations stations(device, {.stations = kStations,
                                   .voices = kVoices,
                                   .max_block_frames = frames,
                                   .way = way,
                                   .deadline = kLong});
    for (int station = 0; station < kStations; ++station) {
      ASSERT_EQ(truth.start(station, {}), Status::ok);
      ASSERT_EQ(stations.start(station, {}), Status::ok);
    }
    std::mt19937 chance(static_cast<unsigned>(frames));
    std::vector<float> expected[kStations];
    std::vector<float> heard[kStations];
    for (int block = 0; block < 200; ++block) {
      const std::vector<VoiceEvent> events = anything(chance, kStations, kVoices, frames);
      ASSERT_EQ(truth.submit(events, frames), Status::ok);
      ASSERT_EQ(truth.fetch(), Status::ok);
      ASSERT_EQ(stations.process(events, frames), Status::ok);
      for (int station = 0; station < kStations; ++station) {
        const auto a = truth.samples(station);
        const auto b = stations.samples(station);
        expected[station].insert(expected[station].end(), a.begin(), a.end());
        heard[station].insert(heard[station].end(), b.begin(), b.end());
      }
    }
    for (int station = 0; station < kStations; ++station) {
      EXPECT_GT(*std::ranges::max_element(heard[station]), 0.01F);
      EXPECT_GT(accuracy_db(heard[station], expected[station]), kLeastParityDb) << "blocks of " << frames;
    }
  }
}

TEST_P(LiveStationsOn, SixteenBitsAreTheRenderers) {
  const std::vector<VoiceEvent> begins{{.frame = 40, .patch = 0, .key = 50},
                                       {.station = 1, .frame = 64, .patch = 3, .key = 62}};
  // First, because what it prepares waits for the device, where a kernel is resident then.
  const auto& [device, way] = GetParam();
  synth::Renderer renderer(device, {.stations = 2, .format = LiveStations::Format::int16});
  LiveStations stations(
      device, {.stations = 2, .format = LiveStations::Format::int16, .way = way, .deadline = kLong});
  for (int station = 0; station < 2; ++station) {
    ASSERT_EQ(stations.start(station, {}), Status::ok);
    ASSERT_EQ(renderer.start(station, {}), Status::ok);
  }
  int most = 0;
  for (int block = 0; block < 100; ++block) {
    const std::span<const VoiceEvent> events(begins.data(), block == 0 ? begins.size() : 0);
    ASSERT_EQ(stations.process(events, 128), Status::ok);
    ASSERT_EQ(renderer.submit(events, 128), Status::ok);
    ASSERT_EQ(renderer.fetch(), Status::ok);
    EXPECT_TRUE(stations.samples(0).empty()) << "these are no floats";
    for (int station = 0; station < 2; ++station) {
      ASSERT_EQ(stations.pcm(station).size(), 256U);
      for (std::size_t n = 0; n < 256; ++n) {
        most = std::max(most, std::abs(int{stations.pcm(station)[n]}));
        ASSERT_NEAR(stations.pcm(station)[n], renderer.pcm(station)[n], 1) << "station " << station;
      }
    }
  }
  EXPECT_GT(most, 300);
}

TEST_P(LiveStationsOn, WhatStopsFadesAndItsPlaceStartsAfresh) {
  LiveStations stations = make(GetParam(), 2, 480);
  const Play what{.frames = kRateHz / 4, .stations = {1}};
  const auto first = play(stations, what);
  ASSERT_EQ(stations.stop(1), Status::ok);
  float last = 1;
  for (int block = 0; stations.is_playing(1) && block < 100; ++block) {
    // An event in the last block has nobody to happen to.
    const std::vector<VoiceEvent> events{{.station = 1, .voice = 7}};
    ASSERT_EQ(stations.process(events, 480), Status::ok);
    if (!stations.samples(1).empty()) last = std::abs(stations.samples(1).back());
  }
  ASSERT_FALSE(stations.is_playing(1));
  EXPECT_LT(last, 1e-4F);
  EXPECT_EQ(stations.start(2, {}), Status::wrong_shape) << "there is no such station";
  EXPECT_EQ(play(stations, what), first);
}

TEST_P(LiveStationsOn, RefuseWhatDoesNotFitABlock) {
  LiveStations stations = make(GetParam(), 2, 128);
  EXPECT_EQ(stations.process({}, 129), Status::wrong_shape);
  EXPECT_EQ(stations.process({}, 0), Status::wrong_shape);
  const std::vector<VoiceEvent> many(static_cast<std::size_t>(LiveStations::max_events()) + 1);
  EXPECT_EQ(stations.process(many, 128), Status::wrong_shape);
  EXPECT_EQ(stations.start(2, {}), Status::wrong_shape);
  for (int i = 0; i < LiveStations::kMostCommands; ++i)
    ASSERT_EQ(i == 0 ? stations.start(0, {}) : stations.set(0, {}), Status::ok);
  EXPECT_EQ(stations.set(0, {}), Status::busy);
  EXPECT_EQ(stations.process({}, 128), Status::ok);
  EXPECT_EQ(stations.set(0, {}), Status::ok);
  EXPECT_EQ(stations.misses(), 0U);
}

TEST_P(LiveStationsOn, SayWhereAndHowTheyRun) {
  const auto& [device, way] = GetParam();
  LiveStations stations = make(GetParam(), 1, 128);
  EXPECT_EQ(stations.device(), device);
  EXPECT_EQ(stations.way(), way);
  EXPECT_EQ(stations.kernel() != nullptr, way == Way::ring);
  const LiveStations moved = std::move(stations);
  EXPECT_EQ(moved.way(), way);
  EXPECT_EQ(moved.misses(), 0U);
  EXPECT_EQ(moved.last_miss(), ring::Delivery::ok);
  EXPECT_EQ(moved.recoveries(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Places, LiveStationsOn, testing::ValuesIn(live_places()), live_place_label);

/// What they do when their kernel is late, fails or ends.
class LiveStationsByRing : public testing::TestWithParam<LivePlace> {
 protected:
  [[nodiscard]] static Device device() { return std::get<Device>(GetParam()); }
};

TEST_P(LiveStationsByRing, AreTheSameForAnyNumberOfLanes) {
  constexpr int kFrames = kRateHz / 4;
  const auto expected = play(GetParam(), 480, {.frames = kFrames});
  for (const int lanes : {32, 64, 320}) {
    LiveStations stations(
        device(),
        {.stations = 3, .max_block_frames = 480, .way = Way::ring, .lanes = lanes, .deadline = kLong});
    EXPECT_EQ(play(stations, {.frames = kFrames}), expected) << lanes << " lanes";
  }
}

TEST_P(LiveStationsByRing, ABlockMissedByAPausedKernelIsGivenAgain) {
  const Play what{.frames = kRateHz / 4, .blocks = {128}};
  const auto expected = play(GetParam(), 128, what);
  // A deadline that a paused kernel is sure to miss.
  LiveStations stations(
      device(),
      {.stations = 3, .max_block_frames = 128, .way = Way::ring, .deadline = std::chrono::milliseconds{200}});
  std::uint64_t pauses = 0;
  int block = 0;
  const auto heard = play(
      stations, stations.patches(), what,
      [&](const std::vector<VoiceEvent>& events, int frames) {
        if (block++ % 40 == 20) {
          stations.kernel()->pause(kLong);
          const std::int64_t clock = stations.clock();
          EXPECT_EQ(stations.process(events, frames), Status::late);
          EXPECT_EQ(stations.clock(), clock);
          EXPECT_TRUE(stations.samples(0).empty());
          EXPECT_EQ(stations.set(0, {}), Status::busy) << "while a block is to be given again";
          EXPECT_EQ(stations.misses(), ++pauses);
          EXPECT_EQ(stations.last_miss(), ring::Delivery::timed_out);
          stations.kernel()->resume(kLong);
        }
        // On a machine that is held up another block may be late: it is the same to the music.
        Status status = Status::late;
        for (int trial = 0; trial < 100 && status != Status::ok; ++trial) {
          status = stations.process(events, frames);
          if (status != Status::ok) ++pauses;
        }
        ASSERT_EQ(status, Status::ok);
      },
      [&](int station) { return stations.samples(station); });
  EXPECT_GE(pauses, 2U);
  EXPECT_EQ(heard, expected);
  EXPECT_EQ(stations.recoveries(), 0U);
}

TEST_P(LiveStationsByRing, ABlockThatComesAgainIsAnsweredAgain) {
  LiveStations stations = make(GetParam(), 1, 128);
  ASSERT_EQ(stations.start(0, {}), Status::ok);
  const std::vector<VoiceEvent> events{{.frame = 0, .patch = 0}};
  ASSERT_EQ(stations.process(events, 128), Status::ok);
  for (int block = 0; block < 5; ++block) ASSERT_EQ(stations.process({}, 128), Status::ok);
  const std::vector<float> last(stations.samples(0).begin(), stations.samples(0).end());
  // The head of the block before, as after an answer that came too late.
  struct {
    std::int64_t clock;
    int frames;
    int stations;
    int rest[12];
  } header{stations.clock() - 128, 128, 1, {}};
  ring::Letter reply;
  ASSERT_EQ(stations.kernel()->request(ring::Outgoing::of(1, header), reply, kLong), ring::Delivery::ok);
  ASSERT_EQ(reply.payload().size(), last.size() * sizeof(float));
  EXPECT_EQ(std::memcmp(reply.payload().data(), last.data(), reply.payload().size()), 0);
  ASSERT_EQ(stations.process({}, 128), Status::ok);
  EXPECT_EQ(stations.recoveries(), 0U);
}

TEST_P(LiveStationsByRing, RecoverFromAFailureOfTheKernel) {
  LiveStations stations = make(GetParam(), 3, 480);
  const auto before = play(stations, {.frames = kRateHz / 4, .stations = {0, 1}});
  // A request that is not whole fails the kernel; it is launched again, with nothing in it.
  ring::Letter reply;
  ring::Outgoing torn;
  torn.head.type = 1;
  ASSERT_EQ(stations.kernel()->request(torn, reply, kLong), ring::Delivery::failed);
  Status status = Status::late;
  const std::vector<VoiceEvent> events{{.station = 1, .frame = 40, .patch = 0, .key = 50}};
  for (int trial = 0; trial < 100 && status != Status::ok; ++trial) status = stations.process(events, 480);
  ASSERT_EQ(status, Status::ok) << to_string(stations.last_miss());
  EXPECT_EQ(stations.recoveries(), 1U);
  EXPECT_TRUE(stations.is_playing(0));
  // What was played of the old notes is gone; what began then is heard.
  for (int block = 0; block < 20; ++block) ASSERT_EQ(stations.process({}, 480), Status::ok);
  EXPECT_THAT(stations.samples(0), testing::Each(0.0F));
  EXPECT_THAT(stations.samples(1), testing::Contains(testing::Ne(0.0F)));
  EXPECT_TRUE(stations.samples(2).empty()) << "it never played";
  EXPECT_EQ(stations.recoveries(), 1U);
}

TEST_P(LiveStationsByRing, SayThatTheKernelHasEnded) {
  LiveStations stations = make(GetParam(), 1, 128);
  ASSERT_EQ(stations.process({}, 128), Status::ok);
  stations.kernel()->terminate(kLong);
  EXPECT_EQ(stations.process({}, 128), Status::not_running);
  EXPECT_EQ(stations.last_miss(), ring::Delivery::not_running);
  EXPECT_EQ(stations.misses(), 1U);
  EXPECT_EQ(stations.clock(), 128);
}

TEST_P(LiveStationsByRing, SayThatTheKernelFailedForGood) {
  LiveStations stations(device(), {.stations = 1, .way = Way::ring, .deadline = kLong, .restart = {}});
  ring::Letter reply;
  ring::Outgoing torn;
  torn.head.type = 1;
  ASSERT_EQ(stations.kernel()->request(torn, reply, kLong), ring::Delivery::failed);
  for (int look = 0; look < 2000 && stations.kernel()->state() != ring::State::failed; ++look)
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  EXPECT_EQ(stations.process({}, 128), Status::not_running);
  EXPECT_EQ(stations.last_miss(), ring::Delivery::failed);
  EXPECT_THAT(stations.kernel()->failure(), HasSubstr("code 1"));
}

TEST_P(LiveStationsByRing, GoOnAfterAStrangeMessage) {
  LiveStations stations = make(GetParam(), 2, 128);
  ring::Letter reply;
  ring::Outgoing strange;
  strange.head.type = 99;
  EXPECT_EQ(stations.kernel()->request(strange, reply, kLong), ring::Delivery::unknown_type);
  EXPECT_EQ(stations.process({}, 128), Status::ok);
}

TEST_P(LiveStationsByRing, AMessageThatNamesWhatIsNotThereIsNotRendered) {
  struct Request {
    StationsHandler::Header header;
    VoiceEvent event;
  };
  const VoiceEvent wrong[] = {{.station = -1}, {.station = 2}, {.frame = -1}, {.frame = 128},
                              {.voice = -1},   {.voice = 20},  {.patch = 64}};
  for (const VoiceEvent& event : wrong) {
    LiveStations stations = make(GetParam(), 2, 128);
    const Request request{{.frames = 128, .stations = 2, .events = 1}, event};
    ring::Letter reply;
    EXPECT_EQ(stations.kernel()->request(ring::Outgoing::of(StationsHandler::kRender, request), reply, kLong),
              ring::Delivery::failed)
        << event.station << " " << event.frame << " " << event.voice;
  }
}

INSTANTIATE_TEST_SUITE_P(Places, LiveStationsByRing, testing::ValuesIn(live_places({Way::ring})),
                         live_place_label);

/// The limits are the same whatever is chosen.
class LiveStationsSpec : public testing::TestWithParam<Way> {
 protected:
  static void expect_refused(LiveStations::Spec spec, const char* word) {
    spec.way = GetParam();
    EXPECT_THAT([&] { LiveStations(Device::cpu(), spec); }, ThrowsMessage<InvalidArgument>(HasSubstr(word)));
  }
};

TEST_P(LiveStationsSpec, RefusesNumbersOutOfRange) {
  expect_refused({.stations = 33}, "33 stations");
  expect_refused({.stations = 0}, "0 stations");
  expect_refused({.stations = 32, .voices = 21}, "672 voices");
  expect_refused({.max_block_frames = 0}, "0 frames");
  expect_refused({.stations = 32, .max_block_frames = 480}, "bytes");
  expect_refused({.sample_rate_hz = 0}, "0 frames a second");
  expect_refused({.stations = 32, .sample_rate_hz = 96000}, "at this sample rate; use at most 16");
  expect_refused({.patches = std::vector<synth::Patch>(65)}, "65 patches");
  expect_refused({.lanes = 33}, "33 threads");
  expect_refused({.deadline = std::chrono::nanoseconds{-5}}, "-5 ns");
  expect_refused({.restart = {.most_restarts = -1}}, "-1 restarts");
}

INSTANTIATE_TEST_SUITE_P(Ways, LiveStationsSpec,
                         testing::Values(Way::automatic, Way::launch, Way::graph, Way::ring),
                         [](const auto& test) { return std::string(to_string(test.param)); });

}  // namespace
}  // namespace ringwave::live
