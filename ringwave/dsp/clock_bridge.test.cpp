// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/clock_bridge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

constexpr double kRateHz = 48000;
constexpr double kToneHz = 997;

/// Two threads in simulated time: each calls once a block by a clock of its own, and late by up to `late`
/// seconds.
struct Simulation {
  double drift = 0;        // of the producer
  double drifts_from = 0;  // seconds
  int write_frames = 480;
  int read_frames = 480;
  double late = 0;
  double seconds = 240;
  int target_frames = 2048;

  double steered_from = 60;  // seconds, from which on the next four are seen
  double least_fill = 1e9;
  double most_fill = -1e9;
  double least_speed = 9;
  double most_speed = 0;
  double most_step = 0;  // between two samples, from the first that sounds on
  std::uint64_t underruns = 0;
  std::uint64_t dropped = 0;
  std::int64_t busy = 0;

  void run() {
    ClockBridge bridge({.channels = 2, .target_frames = target_frames});
    std::minstd_rand random(3);
    const auto wait = [&] {
      return late * static_cast<double>(random()) / static_cast<double>(std::minstd_rand::max());
    };
    std::vector<float> in(2 * static_cast<std::size_t>(write_frames));
    std::vector<float> out(2 * static_cast<std::size_t>(read_frames));
    double next_write = 0;
    double next_read = 0.0031;
    double write_at = next_write + wait();
    double read_at = next_read + wait();
    std::int64_t written = 0;
    float last = 0;
    while (read_at < seconds) {
      if (write_at <= read_at) {
        for (std::size_t n = 0; n < static_cast<std::size_t>(write_frames); ++n, ++written)
          in[n] = in[n + static_cast<std::size_t>(write_frames)] = static_cast<float>(
              0.5 * std::sin(2 * std::numbers::pi * kToneHz / kRateHz * static_cast<double>(written)));
        (void)bridge.write({in.data(), 2, write_frames}, static_cast<std::int64_t>(write_at * 1e9));
        next_write += write_frames / (kRateHz * (1 + (next_write < drifts_from ? 0 : drift)));
        write_at = next_write + wait();
        continue;
      }
      const Status status =
          bridge.read({out.data(), 2, read_frames}, static_cast<std::int64_t>(read_at * 1e9));
      busy += status == Status::busy ? 1 : 0;
      if (status == Status::ok) look(std::span(out).first(static_cast<std::size_t>(read_frames)), last);
      if (read_at > steered_from) {
        least_fill = std::min(least_fill, bridge.fill_frames());
        most_fill = std::max(most_fill, bridge.fill_frames());
        least_speed = std::min(least_speed, bridge.speed());
        most_speed = std::max(most_speed, bridge.speed());
      }
      next_read += read_frames / kRateHz;
      read_at = next_read + wait();
    }
    underruns = bridge.underruns();
    dropped = bridge.dropped_frames();
  }

  void look(std::span<const float> samples, float& last) {
    for (const float sample : samples) {
      most_step = std::max(most_step, static_cast<double>(std::abs(sample - last)));
      last = sample;
    }
  }

  /// The steepest of the tone; the beginning out of silence is less steep.
  static double steepest() { return 0.5 * 2 * std::numbers::pi * kToneHz / kRateHz * 1.006; }
};

TEST(ClockBridge, ClocksThatDriftNeitherRunDryNorOverflow) {
  for (const double drift : {0.0, 200e-6, -200e-6, 1000e-6, -1000e-6}) {
    Simulation simulation{.drift = drift};
    simulation.run();
    SCOPED_TRACE(drift);
    EXPECT_EQ(simulation.underruns, 0U);
    EXPECT_EQ(simulation.dropped, 0U);
    EXPECT_GT(simulation.least_fill, 2048 - 64);
    EXPECT_LT(simulation.most_fill, 2048 + 64);
    EXPECT_LT(simulation.most_step, Simulation::steepest()) << "something clicks";
    EXPECT_LE(simulation.busy, 10) << "silence after the beginning";
  }
}

TEST(ClockBridge, ADriftThatBeginsMovesTheFillByLessThanAMillisecond) {
  for (const double drift : {200e-6, -200e-6}) {
    Simulation simulation{.drift = drift, .drifts_from = 60, .seconds = 130, .steered_from = 59};
    simulation.run();
    EXPECT_GT(simulation.least_fill, 2048 - 48) << drift;
    EXPECT_LT(simulation.most_fill, 2048 + 48) << drift;
  }
}

TEST(ClockBridge, ThePitchIsTheProducersAndStandsStill) {
  Simulation simulation{.drift = 200e-6, .seconds = 300};
  simulation.run();
  // 10 ppm are a sixtieth of a cent. After a minute the loop still closes in on the last few.
  EXPECT_GT(simulation.least_speed, 1 + 190e-6);
  EXPECT_LT(simulation.most_speed, 1 + 210e-6);
}

TEST(ClockBridge, ThreadsThatAreLateAreNotHeard) {
  for (const auto& [write_frames, read_frames] : {std::pair{480, 480}, {441, 512}, {64, 480}, {512, 32}}) {
    Simulation simulation{
        .drift = 200e-6, .write_frames = write_frames, .read_frames = read_frames, .late = 0.003};
    simulation.run();
    SCOPED_TRACE(std::to_string(write_frames) + " to " + std::to_string(read_frames));
    EXPECT_EQ(simulation.underruns, 0U);
    EXPECT_EQ(simulation.dropped, 0U);
    EXPECT_LT(simulation.most_step, Simulation::steepest());
    // 3 ms late give or take: the wobble stays below 200 ppm, a third of a cent.
    EXPECT_LT(simulation.most_speed - simulation.least_speed, 400e-6);
    EXPECT_NEAR((simulation.most_speed + simulation.least_speed) / 2, 1 + 200e-6, 100e-6);
  }
}

TEST(ClockBridge, AProducerThatStopsIsSilenceAndComesBack) {
  ClockBridge bridge({.channels = 1});
  const std::vector<float> in(512, 0.5F);
  std::vector<float> out(512);
  std::int64_t now = 0;
  const auto play = [&](int blocks, bool produces) {
    int sounding = 0;
    for (int i = 0; i < blocks; ++i, now += 10'666'667) {
      if (produces) (void)bridge.write(std::span(in), now);
      sounding += bridge.read(std::span(out), now) == Status::ok ? 1 : 0;
    }
    return sounding;
  };
  EXPECT_GE(play(100, true), 90);
  EXPECT_EQ(bridge.underruns(), 0U);
  EXPECT_LE(play(100, false), 5);
  EXPECT_EQ(bridge.underruns(), 1U);
  EXPECT_EQ(out[0], 0);
  EXPECT_GE(play(100, true), 90);
  EXPECT_EQ(bridge.underruns(), 1U);
}

TEST(ClockBridge, AConsumerThatStopsLosesFramesThatAreCounted) {
  ClockBridge bridge({.channels = 1});
  const std::vector<float> in(512, 0.5F);
  std::uint64_t refused = 0;
  for (int i = 0; i < 100; ++i)
    refused += bridge.write(std::span(in), std::int64_t{i} * 10'666'667) == Status::busy ? 512U : 0U;
  EXPECT_GT(refused, 0U);
  EXPECT_EQ(bridge.dropped_frames(), refused);
}

TEST(ClockBridge, RefusesWhatCannotBe) {
  EXPECT_THROW(ClockBridge({.channels = 0}), InvalidArgument);
  EXPECT_THROW(ClockBridge({.sample_rate_hz = 0}), InvalidArgument);
  EXPECT_THROW(ClockBridge({.max_block_frames = 1024, .target_frames = 2048}), InvalidArgument);
  ClockBridge bridge({.channels = 2});
  std::vector<float> block(2048, 1.0F);
  EXPECT_EQ(bridge.write({block.data(), 1, 100}, 0), Status::wrong_shape);
  EXPECT_EQ(bridge.write({block.data(), 2, 513}, 0), Status::wrong_shape);
  EXPECT_EQ(bridge.read({block.data(), 2, 513}, 0), Status::wrong_shape);
  EXPECT_EQ(block[0], 0);
  EXPECT_EQ(bridge.read({block.data(), 2, 512}, 0), Status::busy);
}

}  // namespace
}  // namespace ringwave::dsp
