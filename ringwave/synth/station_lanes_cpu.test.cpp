// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/station_lanes_cpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <vector>

namespace ringwave::synth {
namespace {

/// All of a state as floats.
std::vector<float> numbers_of(const StationRule::State& s) {
  std::vector<float> numbers{s.ceiling.peak, s.ceiling.may};
  const auto add = [&](auto... values) { (numbers.push_back(values), ...); };
  for (const Knob& knob : {s.tone[0].bass, s.tone[0].treble, s.tone[1].bass, s.tone[1].treble, s.space.chorus,
                           s.space.delay, s.space.feedback, s.space.room, s.ceiling.gain, s.gain})
    add(knob.from, knob.to);
  for (const ToneRule::State& side : s.tone) add(side.low, side.low_of_treble);
  for (const float* row : {s.ceiling.borders, s.ceiling.released}) add(row[0], row[1], row[2], row[3]);
  for (const LoudnessRule::Side& side : s.sides)
    add(side.shelf.first, side.shelf.second, side.high_pass.first, side.high_pass.second, side.energy);
  add(s.loudness.mean, s.loudness.hops, s.loudness.all, s.loudness.all_hops);
  for (const float gain : s.loudness.gains) add(gain);
  add(static_cast<float>(s.space.delay_frames), static_cast<float>(s.space.right_frames),
      std::bit_cast<float>(s.space.clock));
  return numbers;
}

/// Where the first of them differs in a bit, or -1. What is no number has no bits that count.
std::ptrdiff_t first_difference(std::span<const float> a, std::span<const float> b) {
  const auto same = [](float x, float y) {
    return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y) ||
           (std::isnan(x) && std::isnan(y));
  };
  const auto [at, other] = std::ranges::mismatch(a, b, same);
  return at == a.end() && other == b.end() ? -1 : at - a.begin();
}

/// Stations that begin, change, fall silent and end when the dice say so, played by the rules and in lanes.
class Pair {
 public:
  /// One in `odd` samples is huge or no number; 0: none is.
  Pair(double rate_hz, int stations, int odd)
      : rate_hz_(rate_hz),
        rates_(rate_hz),
        odd_(odd),
        random_(static_cast<unsigned>(stations)),
        clock_(up_to(100'000) * kChunkFrames + up_to(kChunkFrames - 1)) {
    const auto floats = static_cast<std::size_t>(StationRule::floats(rates_));
    for (Station& station : stations_ = std::vector<Station>(static_cast<std::size_t>(stations)))
      station.memory = station.memory_in_lanes = std::vector<float>(floats);
  }

  void play(int frames) {
    if (up_to(479) < frames)
      for (Station& station : stations_) command(station);
    SpaceRule::Places places = SpaceRule::places_at(rates_.space.layout, clock_);
    int count = 0;
    for (int done = 0; done < frames && !testing::Test::HasFatalFailure(); done += count) {
      count = std::min(kChunkFrames - static_cast<int>(clock_ % kChunkFrames), frames - done);
      play_chunk(places, count);
      places.advance(rates_.space.layout, count);
      clock_ += count;
    }
  }

  /// Everything that is kept.
  void check() const {
    for (const Station& station : stations_) {
      ASSERT_EQ(first_difference(numbers_of(station.state), numbers_of(station.state_in_lanes)), -1);
      ASSERT_EQ(first_difference(station.memory, station.memory_in_lanes), -1);
    }
  }

  [[nodiscard]] float loudest() const { return loudest_; }

 private:
  struct Station {
    StationRule::Constants constants{};
    StationRule::State state{};
    StationRule::State state_in_lanes{};
    std::vector<float> memory{};
    std::vector<float> memory_in_lanes{};
    float level = 0;
    bool playing = false;
  };

  int up_to(int most) { return std::uniform_int_distribution<int>(0, most)(random_); }
  float between(float least, float most) {
    return std::uniform_real_distribution<float>(least, most)(random_);
  }
  /// Within a range, and often at its ends.
  double dial(double least, double most) {
    const int dice = up_to(9);
    return dice == 0   ? least
           : dice == 1 ? most
                       : std::uniform_real_distribution<double>(least, most)(random_);
  }

  StationEffects any_effects() {
    StationEffects effects{.tone = {.bass_db = dial(-24, 24), .treble_db = dial(-24, 24)},
                           .chorus = {.level = dial(0, 1), .depth_ms = dial(0, 5), .hz = dial(0.01, 10)},
                           .delay = {.level = dial(0, 1),
                                     .seconds = dial(StationEffects::kLeastDelay, StationEffects::kMostDelay),
                                     .feedback = dial(0, 0.9)},
                           .room = {.level = dial(0, 1), .decay_s = dial(0.1, 30), .damp = dial(0, 1)},
                           .gain_db = dial(-20, 20),
                           .ceiling_dbtp = dial(-24, 0)};
    if (up_to(1) == 0) effects.loudness_lufs = dial(-60, 0);
    return effects;
  }

  void command(Station& station) {
    const int what = up_to(station.playing ? 60 : 6);
    if (what == 3) station.level = between(0, 0.5F);
    if (what == 4) station.level = 0;
    if (what > 2) return;
    if (what == 2) {
      station.playing = false;
      return;
    }
    const std::int64_t start = station.constants.start_frame;
    station.constants = {any_effects(), rates_, rate_hz_};
    station.constants.start_frame = start;
    if (what == 1 && station.playing) return;
    station.playing = true;
    station.level = between(0, 0.5F);
    station.constants.start_frame = (clock_ + kChunkFrames - 1) / kChunkFrames * kChunkFrames;
    StationRule::start(rates_, station.constants, station.state);
    std::ranges::fill(station.memory, 0.0F);
    station.state_in_lanes = station.state;
    station.memory_in_lanes = station.memory;
  }

  float sample(const Station& station) {
    constexpr float kOdd[] = {1e4F, -1e30F, std::numeric_limits<float>::max(),
                              std::numeric_limits<float>::infinity(),
                              std::numeric_limits<float>::quiet_NaN()};
    return odd_ > 0 && up_to(odd_ - 1) == 0 ? kOdd[up_to(4)] : station.level * between(-1, 1);
  }

  void play_chunk(const SpaceRule::Places& places, int count) {
    for (std::size_t next = 0; next < stations_.size();) {
      auto rows = std::make_unique<StationRows>();
      std::vector<Station*> seated;
      for (; next < stations_.size() && rows->count < StationRows::kMost; ++next) {
        Station& station = stations_[next];
        if (!station.playing || clock_ < station.constants.start_frame) continue;
        seated.push_back(&station);
        const std::size_t row = rows->count++;
        rows->stations[row] = {&station.constants, &station.state_in_lanes, station.memory_in_lanes.data()};
        for (auto* side : {rows->left[row], rows->right[row]})
          for (float& x : std::span(side, static_cast<std::size_t>(count))) x = sample(station);
      }
      auto truth = std::make_unique<StationRows>(*rows);
      shape_stations(rates_, *rows, places, clock_, count);
      for (std::size_t row = 0; row < seated.size(); ++row) {
        Station& station = *seated[row];
        shape_station(rates_, {&station.constants, &station.state, station.memory.data()}, places, clock_,
                      count, truth->left[row], truth->right[row]);
        for (const auto& [a, b] :
             {std::pair{truth->left[row], rows->left[row]}, std::pair{truth->right[row], rows->right[row]}}) {
          const auto size = static_cast<std::size_t>(count);
          ASSERT_EQ(first_difference(std::span(a, size), std::span(b, size)), -1)
              << "row " << row << ", " << count << " frames from " << clock_;
          for (const float x : std::span(a, size)) loudest_ = std::max(loudest_, std::abs(x));
        }
      }
    }
  }

  double rate_hz_;
  StationRule::Rates rates_;
  int odd_;
  std::mt19937 random_;
  std::int64_t clock_;
  std::vector<Station> stations_;
  float loudest_ = 0;
};

/// Blocks of up to 480 frames.
void play_blocks(Pair& pair, int frames) {
  std::mt19937 random(1);
  for (int done = 0; done < frames;) {
    const int count = std::uniform_int_distribution<int>(1, done % 3 == 0 ? 40 : 480)(random);
    ASSERT_NO_FATAL_FAILURE(pair.play(count));
    done += count;
  }
  ASSERT_NO_FATAL_FAILURE(pair.check());
  EXPECT_GT(pair.loudest(), 0.01F);
}

/// Every operation has one right answer, so that nothing less than every bit is asked for.
TEST(StationLanes, ShapeWhatTheRulesShapeToTheBit) {
  for (const double rate_hz : {44100.0, 48000.0, 96000.0})
    for (const int stations : {1, 2, 7, 16, 21}) {
      SCOPED_TRACE(testing::Message() << stations << " stations at " << rate_hz << " Hz");
      Pair pair(rate_hz, stations, 0);
      ASSERT_NO_FATAL_FAILURE(play_blocks(pair, 40'000));
    }
}

TEST(StationLanes, TakeWhatIsHugeOrNoNumberAsTheRulesDo) {
  for (const int odd : {200, 5000}) {
    SCOPED_TRACE(testing::Message() << "one in " << odd);
    Pair pair(48000, 21, odd);
    ASSERT_NO_FATAL_FAILURE(play_blocks(pair, 20'000));
  }
}

/// From a lone frame to a whole chunk, from every place in one.
TEST(StationLanes, AnyPartOfAChunkWillDo) {
  for (int frames = 1; frames <= kChunkFrames; ++frames) {
    SCOPED_TRACE(testing::Message() << frames << " frames at a time");
    Pair pair(8000, 5, 0);
    for (int done = 0; done < 6000; done += frames) ASSERT_NO_FATAL_FAILURE(pair.play(frames));
    ASSERT_NO_FATAL_FAILURE(pair.check());
    EXPECT_GT(pair.loudest(), 0.01F);
  }
}

}  // namespace
}  // namespace ringwave::synth
