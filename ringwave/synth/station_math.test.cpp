// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/station_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ringwave/dsp/loudness.hpp"
#include "tests/noise.hpp"

namespace ringwave::synth {
namespace {

constexpr double kRateHz = 48000;

/// A station's space alone, frame by frame.
class Space {
 public:
  explicit Space(const StationEffects& effects, double rate_hz = kRateHz)
      : rates_(rate_hz), constants_(effects, rates_, rate_hz), memory_(memory_floats(rates_)) {
    SpaceRule::start(constants_.space, state_);
  }

  StereoFrame step(StereoFrame x) {
    const auto frame = static_cast<int>(clock_ % kChunkFrames);
    if (frame == 0) SpaceRule::advance(rates_.space, constants_.space, state_);
    const SpaceRule::Places places = SpaceRule::places_at(rates_.space.layout, clock_++);
    const SpaceRule::Past past =
        SpaceRule::look(rates_.space, constants_.space, state_, places, memory_.data(), frame, 0);
    SpaceRule::Fresh fresh;
    const StereoFrame y = SpaceRule::hear(constants_.space, state_, past, frame, x, fresh);
    SpaceRule::listen(rates_.space.layout, places, memory_.data(), 0, x);
    SpaceRule::write(rates_.space.layout, places, memory_.data(), 0, fresh);
    return y;
  }

 private:
  static std::size_t memory_floats(const StationRule::Rates& rates) {
    return static_cast<std::size_t>(StationRule::floats(rates));
  }

  StationRule::Rates rates_;
  StationRule::Constants constants_;
  std::vector<float> memory_;
  SpaceRule::State state_{};
  std::int64_t clock_ = 0;
};

StationEffects dry() {
  StationEffects effects;
  effects.chorus.level = effects.delay.level = effects.room.level = 0;
  return effects;
}

double decibels(double power) {
  return 10 * std::log10(power);
}

TEST(Station, TheRoomIsSixtyDecibelsSofterAfterItsDecay) {
  for (const double decay_s : {0.5, 3.0})
    for (const double rate_hz : {16000.0, 48000.0}) {
      StationEffects effects = dry();
      effects.room = {.level = 1, .decay_s = decay_s, .damp = 0};
      Space space(effects, rate_hz);
      // The energy of a tenth of a second around a fifth of the decay, and around six fifths of it.
      std::vector<double> energy(2);
      for (int n = 0; n < static_cast<int>(1.4 * decay_s * rate_hz); ++n) {
        const float x = n == 0 ? 1.0F : 0.0F;
        const StereoFrame y = space.step({x, x});
        const double place = n / rate_hz / decay_s;
        for (std::size_t i = 0; i < 2; ++i)
          if (std::abs(place - (0.2 + static_cast<double>(i))) < 0.1)
            energy[i] += static_cast<double>(y.left) * static_cast<double>(y.left);
      }
      EXPECT_NEAR(decibels(energy[0] / energy[1]), 60, 1) << decay_s << " s at " << rate_hz << " Hz";
    }
}

TEST(Station, TheEchoComesWhenItShouldAndOnTheOtherSideEarlier) {
  StationEffects effects = dry();
  effects.delay = {.level = 1, .seconds = 0.3, .feedback = 0.5};
  Space space(effects);
  float left[2] = {};
  float right = 0;
  for (int n = 0; n < 30000; ++n) {
    const float x = n == 0 ? 1.0F : 0.0F;
    const StereoFrame y = space.step({x, x});
    if (n == 14400) left[0] = y.left;
    if (n == 28800) left[1] = y.left;
    if (n == 9600) right = y.right;
  }
  EXPECT_NEAR(left[0], 0.76F, 1e-5F) << "the middle one of three taps that damp it";
  EXPECT_NEAR(left[1], 0.5F * (0.76F * 0.76F + 2 * 0.12F * 0.12F), 1e-5F);
  EXPECT_FLOAT_EQ(right, 1);
}

TEST(Station, WithoutEffectsItIsWhatCameIn) {
  Space space(dry());
  for (const float x : noise(5000, 3)) {
    const StereoFrame y = space.step({x, -x});
    ASSERT_EQ(y.left, x);
    ASSERT_EQ(y.right, -x);
  }
}

TEST(Station, BassAndTrebleAreGainsAtTheEndsOfTheSpectrum) {
  StationEffects effects;
  effects.tone = {.bass_db = 6, .treble_db = -9};
  const StationRule::Rates rates(kRateHz);
  const StationRule::Constants constants(effects, rates, kRateHz);
  for (const bool is_bass : {true, false}) {
    ToneRule::State state;
    ToneRule::start(constants.tone, state);
    float last = 0;
    for (int n = 0; n < 20000; ++n)
      last = ToneRule::step(rates.tone, state, n % kChunkFrames, is_bass || n % 2 == 0 ? 1.0F : -1.0F);
    EXPECT_NEAR(20 * std::log10(std::abs(last)), is_bass ? 6 : -9, 0.01);
  }
}

TEST(Station, LoudnessIsThatOfTheStandard) {
  for (const int rate_hz : {32000, 48000, 96000}) {
    const StationRule::Rates rates(rate_hz);
    const int frames = 10 * LoudnessRule::kHopFrames;
    const std::vector<float> left = noise(static_cast<std::size_t>(frames), 1);
    std::vector<float> both = left;
    LoudnessRule::Side sides[2];
    float before = 0;
    for (const float x : left) {
      before += 0.05F * (x - before);  // much bass on the other side
      both.push_back(before);
      LoudnessRule::step(rates.loudness, sides[0], x);
      LoudnessRule::step(rates.loudness, sides[1], before);
    }
    dsp::Loudness meter({.channels = 2, .sample_rate_hz = rate_hz});
    meter.add(BlockView<const float>(both.data(), 2, frames));
    const double power = static_cast<double>(sides[0].energy + sides[1].energy) / frames;
    EXPECT_NEAR(-0.691 + decibels(power), meter.integrated_lufs(), 0.1) << rate_hz << " Hz";
  }
}

TEST(Station, LoudnessComesToTheTarget) {
  const StationRule::Rates rates(kRateHz);
  StationEffects effects;
  effects.loudness_lufs = -20;
  const StationRule::Constants constants(effects, rates, kRateHz);
  LoudnessRule::State state;
  LoudnessRule::start(rates.loudness, constants.loudness, state);
  const float power = 0.001F;  // of a hop: -30.7 LUFS
  unsigned hop = 0;
  for (; hop < 30000; ++hop)
    LoudnessRule::advance(rates.loudness, constants.loudness, state, hop,
                          hop % 7 == 0 ? 0.0F : power * LoudnessRule::kHopFrames);  // pauses do not count
  const float gain = LoudnessRule::gain(state, (hop + 1) * LoudnessRule::kHopFrames);
  EXPECT_NEAR(-0.691 + decibels(static_cast<double>(power * gain * gain)), -20, 0.1);
}

TEST(Station, DitherIsATriangleWithoutAConstantPart) {
  double sum = 0;
  double squares = 0;
  double products = 0;
  double before = 0;
  constexpr int kCount = 100000;
  for (std::uint32_t n = 0; n < kCount; ++n) {
    const auto x = static_cast<double>(StationRule::dither(3, n, 1));
    sum += x;
    squares += x * x;
    products += x * before;
    before = x;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.01);
  EXPECT_NEAR(squares / kCount, 1.0 / 6, 0.005);
  EXPECT_NEAR(products / kCount, 0, 0.005) << "one does not tell of the next";
}

}  // namespace
}  // namespace ringwave::synth
