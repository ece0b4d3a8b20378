// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/live_convolver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "ringwave/core/error.hpp"
#include "tests/accuracy.hpp"
#include "tests/live_comparison.hpp"
#include "tests/live_place.hpp"
#include "tests/noise.hpp"

namespace ringwave::live {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// Sums of some thousand float products differ by their order: each addition rounds at -150 dB, and their
/// errors add up like noise.
constexpr double kLeastDb = 110;

constexpr int kLengths[] = {1, 16, 64, 128, 480, 37, 1, 480, 129, 127, 2, 480, 480, 3, 128, 16, 16, 16};

class LiveConvolverOn : public OnLivePlace {
 protected:
  [[nodiscard]] static LiveSpec spec(int channels = 2, int max_block_frames = 480) {
    return OnLivePlace::spec(channels, max_block_frames);
  }
};

/// Noise that dies away, channel after channel.
std::vector<float> rooms(int channels, int taps, unsigned seed) {
  std::vector<float> made = noise(static_cast<std::size_t>(channels) * static_cast<std::size_t>(taps), seed);
  for (std::size_t i = 0; i < made.size(); ++i) {
    const auto k = static_cast<float>(i % static_cast<std::size_t>(taps));
    made[i] *= std::exp(-6.9F * k / static_cast<float>(taps));
  }
  return made;
}

std::vector<dsp::Convolver::Path> paths_of(BlockView<const float> responses) {
  std::vector<dsp::Convolver::Path> paths;
  for (int channel = 0; channel < responses.channels(); ++channel)
    paths.push_back({{channel, channel}, responses.channel(channel)});
  return paths;
}

/// A stream of noise through a live convolver and through the CPU's, as its formula stands.
class Pair {
 public:
  Pair(const LiveSpec& spec, BlockView<const float> responses, LiveConvolver::Room room = {})
      : live(spec, responses, room),
        truth(Device::cpu(),
              {.inputs = spec.channels,
               .outputs = spec.channels,
               .max_block_frames = spec.max_block_frames,
               .mode = dsp::Convolver::Mode::direct,
               .max_taps = room.max_taps,
               .fade_frames = room.fade_frames},
              paths_of(responses)),
        comparison_(spec.channels) {}

  void play(int frames) { comparison_.play(live, truth, frames); }

  void expect_equal() const { EXPECT_GT(comparison_.agreement_db(), kLeastDb); }

  LiveConvolver live;
  dsp::Convolver truth;

 private:
  LiveComparison comparison_;
};

TEST_P(LiveConvolverOn, IsTheConvolverForBlocksOfAnyLength) {
  for (const auto& [channels, taps] : {std::tuple{1, 1}, std::tuple{1, 5}, std::tuple{2, 300},
                                       std::tuple{2, 8192}, std::tuple{7, 1001}, std::tuple{1, 16384}}) {
    SCOPED_TRACE(std::to_string(channels) + " x " + std::to_string(taps) + " taps");
    const std::vector<float> h = rooms(channels, taps, 3);
    Pair pair(spec(channels), {h.data(), channels, taps});
    for (const int frames : kLengths) pair.play(frames);
    pair.expect_equal();
    EXPECT_EQ(pair.live.counts().missed, 0U);
  }
}

TEST_P(LiveConvolverOn, WrapsItsMemoryWithoutASeam) {
  const std::vector<float> h = rooms(2, 100, 5);
  Pair pair(spec(2, 64), {h.data(), 2, 100});
  for (int i = 0; i < 100; ++i) pair.play(1 + i * 7 % 64);
  for (int i = 0; i < 20; ++i) pair.play(64);
  pair.expect_equal();
}

TEST_P(LiveConvolverOn, AnImpulseGivesTheResponseAtOnce) {
  const std::vector<float> h = rooms(1, 480, 7);
  LiveConvolver live(spec(1), {h.data(), 1, 480});
  std::vector<float> block(480, 0.0F);
  block[0] = 1;
  ASSERT_EQ(live.process(block, block), Status::ok);
  EXPECT_GT(accuracy_db(block, h), kLeastDb);
}

TEST_P(LiveConvolverOn, IsSilentAfterReset) {
  const std::vector<float> h = rooms(2, 3000, 9);
  Pair pair(spec(), {h.data(), 2, 3000});
  pair.play(480);
  ASSERT_EQ(pair.live.reset(), Status::ok);
  pair.truth.reset();
  std::vector<float> silence(2 * 480, 0.0F);
  ASSERT_EQ(pair.live.process({silence.data(), 2, 480}, {silence.data(), 2, 480}), Status::ok);
  EXPECT_EQ(std::ranges::count(silence, 0.0F), 2 * 480);
  pair.play(128);
  pair.expect_equal();
}

TEST_P(LiveConvolverOn, TakesANaNForSilenceAndCountsIt) {
  const std::vector<float> h = rooms(2, 300, 11);
  LiveConvolver live(spec(), {h.data(), 2, 300});
  std::vector<float> block(2 * 128, 0.25F);
  block[7] = std::numeric_limits<float>::quiet_NaN();
  ASSERT_EQ(live.process({block.data(), 2, 128}, {block.data(), 2, 128}), Status::ok);
  EXPECT_TRUE(std::ranges::all_of(block, [](float sample) { return std::isfinite(sample); }));
  EXPECT_EQ(live.counts().nonfinite_samples, 1U);
}

TEST_P(LiveConvolverOn, RefusesResponsesThatDoNotFitAndKeepsItsOwn) {
  const std::vector<float> h = rooms(2, 300, 13);
  Pair pair(spec(), {h.data(), 2, 300});
  pair.play(64);
  std::vector<float> bad = rooms(3, 301, 15);
  EXPECT_THROW(pair.live.set_responses({bad.data(), 2, 301}), InvalidArgument);
  EXPECT_THROW(pair.live.set_responses({bad.data(), 3, 300}), InvalidArgument);
  EXPECT_THROW(pair.live.set_responses({}), InvalidArgument);
  bad[450] = std::numeric_limits<float>::infinity();
  EXPECT_THAT(
      [&] {
        pair.live.set_responses({bad.data(), 2, 300});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("channel 1")));
  pair.play(64);
  pair.expect_equal();
}

INSTANTIATE_TEST_SUITE_P(Places, LiveConvolverOn, testing::ValuesIn(live_places()), live_place_label);

/// How the other ways go from one response to the next is dsp::Convolver's; a ring kernel does it as the
/// direct one of the CPU.
class LiveConvolverRing : public LiveConvolverOn {};

TEST_P(LiveConvolverRing, GoesToOtherResponsesAsTheConvolverDoes) {
  const std::vector<float> first = rooms(2, 2000, 17);
  const std::vector<float> second = rooms(2, 1500, 19);
  for (const int fade : {1, 100, 1024}) {
    SCOPED_TRACE("over " + std::to_string(fade) + " frames");
    Pair pair(spec(), {first.data(), 2, 2000}, {.max_taps = 2000, .fade_frames = fade});
    pair.play(480);
    for (const auto& [taps, length] :
         {std::pair{&second, 1500}, std::pair{&first, 2000}, std::pair{&second, 1500}}) {
      const BlockView<const float> next(taps->data(), 2, length);
      pair.live.set_responses(next);
      pair.truth.set_responses(paths_of(next));
      for (const int frames : {128, 480, 37, 480, 480, 64}) pair.play(frames);
    }
    pair.expect_equal();
  }
}

TEST_P(LiveConvolverRing, WhatHasNotBegunIsReplaced) {
  // The second response is on its way in when the third and then the fourth come: the third is never heard.
  const int taps = 700;
  const std::vector<float> h = rooms(8, taps, 21);
  const auto response = [&](int index) {
    return BlockView<const float>(h.data() + std::ptrdiff_t{2} * index * taps, 2, taps);
  };
  Pair pair(spec(), response(0), {.max_taps = taps, .fade_frames = 300});
  pair.play(64);
  pair.live.set_responses(response(1));
  pair.play(64);
  pair.live.set_responses(response(2));
  pair.live.set_responses(response(3));
  std::vector<float> block(2 * 480);
  for (int i = 0; i < 8; ++i) {
    std::ranges::fill(block, 0.0F);
    block[0] = block[480] = i == 7 ? 1.0F : 0.0F;
    ASSERT_EQ(pair.live.process({block.data(), 2, 480}, {block.data(), 2, 480}), Status::ok);
  }
  for (int channel = 0; channel < 2; ++channel)
    EXPECT_GT(accuracy_db(std::span(block).subspan(static_cast<std::size_t>(channel) * 480, 480),
                          response(3).channel(channel).first(480)),
              kLeastDb);
}

TEST_P(LiveConvolverRing, AResetEndsAChange) {
  const std::vector<float> first = rooms(1, 200, 23);
  const std::vector<float> second = rooms(1, 200, 25);
  LiveConvolver live(spec(1), {first.data(), 1, 200}, {.fade_frames = 48000});
  live.set_responses({second.data(), 1, 200});
  ASSERT_EQ(live.reset(), Status::ok);
  std::vector<float> block(200, 0.0F);
  block[0] = 1;
  ASSERT_EQ(live.process(block, block), Status::ok);
  EXPECT_GT(accuracy_db(block, second), kLeastDb);
}

INSTANTIATE_TEST_SUITE_P(Places, LiveConvolverRing, testing::ValuesIn(live_places({Way::ring})),
                         live_place_label);

TEST(LiveConvolver, RefusesASpecOutOfRange) {
  const std::vector<float> h(20000, 0.1F);
  const Device cpu = Device::cpu();
  const auto expect_refused = [&](const LiveSpec& spec, int taps, LiveConvolver::Room room,
                                  const char* word) {
    EXPECT_THAT(
        [&] {
          LiveConvolver(spec, {h.data(), spec.channels, taps}, room);
        },
        ThrowsMessage<InvalidArgument>(HasSubstr(word)));
  };
  expect_refused({.channels = 17, .max_block_frames = 16, .device = cpu}, 16, {}, "17 channels");
  expect_refused({.channels = 2, .max_block_frames = 4097, .device = cpu}, 16, {}, "4097 frames");
  expect_refused({.channels = 2, .device = cpu}, 8193, {}, "8193 taps");
  expect_refused({.channels = 2, .device = cpu}, 0, {}, "0 taps");
  expect_refused({.channels = 2, .device = cpu}, 16, {.max_taps = 15}, "16 taps");
  expect_refused({.channels = 2, .device = cpu}, 16, {.fade_frames = -1}, "-1 frames");
}

}  // namespace
}  // namespace ringwave::live
