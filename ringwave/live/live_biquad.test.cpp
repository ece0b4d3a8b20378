// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/live_biquad.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "ringwave/backend/router.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/butterworth.hpp"
#include "tests/accuracy.hpp"
#include "tests/live_comparison.hpp"
#include "tests/live_place.hpp"
#include "tests/noise.hpp"

namespace ringwave::live {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// Lengths of blocks as they come in a stream: short, usual, odd, and more than a warp takes at a time.
constexpr int kLengths[] = {1, 16, 64, 128, 480, 37, 1, 511, 512, 513, 700, 2, 480, 480, 3, 128};
constexpr int kRate = 48000;

/// Output is rounded to float, at -150 dB of its size; states and sums are double on every way.
constexpr double kLeastDb = 135;

class LiveBiquadOn : public OnLivePlace {
 protected:
  [[nodiscard]] static LiveSpec spec(int channels = 2, int max_block_frames = 700) {
    return OnLivePlace::spec(channels, max_block_frames);
  }
};

/// A stream of noise through a live filter and through the CPU's op, in the same blocks, compared at the end.
class Pair {
 public:
  Pair(const LiveSpec& spec, const std::vector<dsp::Section>& sections, int smooth_frames = 480)
      : live(spec, sections, smooth_frames),
        truth(Device::cpu(), {spec.channels, spec.max_block_frames, smooth_frames}, sections),
        comparison_(spec.channels) {}

  void play(int frames) { comparison_.play(live, truth, frames); }

  void expect_equal() const { EXPECT_GT(comparison_.agreement_db(), kLeastDb); }

  LiveBiquad live;
  dsp::Biquad truth;

 private:
  LiveComparison comparison_;
};

TEST_P(LiveBiquadOn, IsTheBiquadForBlocksOfAnyLength) {
  for (const int channels : {1, 2, 5, 20}) {
    SCOPED_TRACE(std::to_string(channels) + " channels");
    Pair pair(spec(channels), dsp::butterworth_lowpass(8, 1000, kRate));
    for (const int frames : kLengths) pair.play(frames);
    pair.expect_equal();
    EXPECT_EQ(pair.live.counts().blocks, std::size(kLengths));
    EXPECT_EQ(pair.live.counts().missed, 0U);
  }
}

TEST_P(LiveBiquadOn, KeepsALowCornerAtAHighRate) {
  // The poles lie closest to the circle here: powers of the states' matrix grow before they decay.
  Pair pair(spec(), dsp::butterworth_highpass(4, 20, 192000));
  for (int i = 0; i < 40; ++i) pair.play(kLengths[static_cast<std::size_t>(i) % std::size(kLengths)]);
  pair.expect_equal();
}

TEST_P(LiveBiquadOn, GoesToOtherSectionsAsTheBiquadDoes) {
  for (const int smooth : {0, 100, 480}) {
    SCOPED_TRACE("over " + std::to_string(smooth) + " frames");
    const auto low = dsp::butterworth_lowpass(8, 1000, kRate);
    const auto high = dsp::butterworth_highpass(8, 3000, kRate);
    Pair pair(spec(), low, smooth);
    int turn = 0;
    for (const int frames : kLengths) {
      pair.play(frames);
      if (++turn % 3 != 0) continue;
      const auto& next = turn % 2 == 0 ? low : high;
      ASSERT_TRUE(pair.live.set_sections(next));
      ASSERT_TRUE(pair.truth.set_sections(next));
    }
    pair.expect_equal();
  }
}

TEST_P(LiveBiquadOn, IsSilentAfterResetAndGoesOnWithItsSections) {
  Pair pair(spec(), dsp::butterworth_lowpass(8, 50, kRate));
  pair.play(480);
  EXPECT_EQ(pair.live.reset(), Status::ok);
  pair.truth.reset();
  std::vector<float> silence(2 * 480, 0.0F);
  std::vector<float> out(2 * 480, 1.0F);
  ASSERT_EQ(pair.live.process({silence.data(), 2, 480}, {out.data(), 2, 480}), Status::ok);
  EXPECT_EQ(std::ranges::count(out, 0.0F), 2 * 480);
  pair.play(128);
  pair.expect_equal();
}

TEST_P(LiveBiquadOn, TakesTheSameMemoryForInAndOutAndGapsBetweenChannels) {
  const auto sections = dsp::butterworth_lowpass(4, 1000, kRate);
  LiveBiquad live(spec(), sections);
  dsp::Biquad truth(Device::cpu(), {2, 700}, sections);
  std::vector<float> samples = noise(std::size_t{2} * 200, 5);
  std::vector<float> right = samples;
  const BlockView<float> block(samples.data(), 2, 128, 200);
  const BlockView<float> expected(right.data(), 2, 128, 200);
  ASSERT_EQ(live.process(block, block), Status::ok);
  ASSERT_EQ(truth.process(expected, expected), Status::ok);
  EXPECT_GT(accuracy_db(samples, right), kLeastDb);
  EXPECT_TRUE(std::equal(samples.begin() + 128, samples.begin() + 200, right.begin() + 128));
}

TEST_P(LiveBiquadOn, TakesANaNForSilenceAndCountsIt) {
  LiveBiquad live(spec(), dsp::butterworth_lowpass(4, 1000, kRate));
  std::vector<float> in(2 * 128, 0.25F);
  in[3] = std::numeric_limits<float>::quiet_NaN();
  in[200] = std::numeric_limits<float>::infinity();
  std::vector<float> out(in.size());
  ASSERT_EQ(live.process({in.data(), 2, 128}, {out.data(), 2, 128}), Status::ok);
  EXPECT_TRUE(std::ranges::all_of(out, [](float sample) { return std::isfinite(sample); }));
  EXPECT_EQ(live.counts().nonfinite_samples, 2U);
}

TEST_P(LiveBiquadOn, AnswersAWrongShapeWithSilenceAndGoesOn) {
  Pair pair(spec(2, 64), dsp::butterworth_lowpass(4, 1000, kRate));
  pair.play(64);
  std::vector<float> block(300, 1.0F);
  const auto expect_refused = [&](int channels, int frames) {
    std::ranges::fill(block, 1.0F);
    const BlockView<float> view(block.data(), channels, frames);
    EXPECT_EQ(pair.live.process(view, view), Status::wrong_shape);
    EXPECT_EQ(std::ranges::count(block, 0.0F), channels * frames);
  };
  expect_refused(2, 65);
  expect_refused(3, 64);
  expect_refused(1, 64);
  EXPECT_EQ(pair.live.process({}, {}), Status::wrong_shape);
  EXPECT_EQ(pair.live.process({block.data(), 2, 0}, {block.data(), 2, 0}), Status::ok) << "nothing to do";
  pair.play(64);
  pair.expect_equal();
  EXPECT_EQ(pair.live.counts().blocks, 2U);
}

TEST_P(LiveBiquadOn, RefusesSectionsThatAreNotStable) {
  const auto low = dsp::butterworth_lowpass(4, 1000, kRate);
  Pair pair(spec(), low);
  pair.play(64);
  auto bad = low;
  bad[1].a2 = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(pair.live.set_sections(bad));
  bad[1].a2 = 1.5;
  EXPECT_FALSE(pair.live.set_sections(bad));
  EXPECT_FALSE(pair.live.set_sections(dsp::butterworth_lowpass(2, 1000, kRate))) << "another number of them";
  pair.play(64);
  pair.expect_equal();
  bad[1].a2 = std::numeric_limits<double>::infinity();
  EXPECT_THAT([&] { LiveBiquad(spec(), bad); }, ThrowsMessage<InvalidArgument>(HasSubstr("section 1")));
}

INSTANTIATE_TEST_SUITE_P(Places, LiveBiquadOn, testing::ValuesIn(live_places()), live_place_label);

TEST(LiveBiquad, RefusesASpecOutOfRange) {
  const auto sections = dsp::butterworth_lowpass(4, 1000, kRate);
  const auto expect_refused = [&](const LiveSpec& spec, const char* word) {
    EXPECT_THAT([&] { LiveBiquad(spec, sections); }, ThrowsMessage<InvalidArgument>(HasSubstr(word)));
  };
  const Device cpu = Device::cpu();
  expect_refused({.channels = 0, .device = cpu}, "0 channels");
  expect_refused({.channels = 65, .max_block_frames = 16, .device = cpu}, "65 channels");
  expect_refused({.channels = 2, .max_block_frames = 8193, .device = cpu}, "8193 frames");
  expect_refused({.sample_rate_hz = std::nan(""), .device = cpu}, "Hz");
  expect_refused({.device = cpu, .deadline = std::chrono::nanoseconds{-1}}, "deadline");
  const std::vector<dsp::Section> many(17);
  EXPECT_THROW(LiveBiquad({.device = cpu}, many), InvalidArgument);
  EXPECT_THROW(LiveBiquad({.device = cpu}, {}), InvalidArgument);
  EXPECT_THROW(LiveBiquad({.device = cpu}, sections, -1), InvalidArgument);
}

TEST(LiveBiquad, DecidesWhereAndHowWhenItIsMade) {
  const LiveBiquad live({}, dsp::butterworth_lowpass(4, 1000, kRate));
  EXPECT_FALSE(live.device().is_automatic());
  EXPECT_NE(live.way(), Way::automatic);
  if (backend::Router::instance().table()) return;  // then it is as that says
  EXPECT_EQ(live.device(), Device::cpu());
  EXPECT_EQ(live.way(), Way::launch);
}

}  // namespace
}  // namespace ringwave::live
