// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/voice_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace ringwave::synth {
namespace {

constexpr double kRateHz = 48000;
using Rule = VoiceRule;

/// A voice on a clock, as a renderer plays it.
class Player {
 public:
  explicit Player(const Patch& patch) : constants_(patch, kRateHz) {}

  void begin(const Rule::Start& start) { Rule::begin(constants_, state_, start); }
  void fade() { Rule::fade(constants_, state_); }
  void release() { Rule::release(constants_, state_); }

  /// The left side of some seconds.
  std::vector<float> play(double seconds) {
    std::vector<float> made;
    for (int n = 0; n < static_cast<int>(std::lround(seconds * kRateHz)); ++n, ++frame_) {
      if (frame_ % Rule::kControlFrames == 0) Rule::control(constants_, state_);
      const Rule::Frame frame = Rule::step(constants_, state_);
      made.push_back(frame.left);
      right_ = frame.right;
    }
    return made;
  }

  [[nodiscard]] float last_right() const { return right_; }
  [[nodiscard]] const Rule::State& state() const { return state_; }

 private:
  Rule::Constants constants_;
  Rule::State state_;
  std::int64_t frame_ = 0;
  float right_ = 0;
};

/// One sine, the filter wide open, an envelope that is there at once.
Patch plain() {
  Patch patch;
  patch.vcos[0] = {.wave = Patch::Wave::sine, .level = 1};
  patch.filter = {.hz = 20000};
  patch.envelopes[0] = {.attack_s = 0.005, .decay_s = 0.005, .sustain = 1, .release_s = 0.05};
  return patch;
}

/// The amplitude around a frequency, under a Hann window.
double level_at(const std::vector<float>& signal, double hz) {
  std::complex<double> sum = 0;
  double weights = 0;
  for (std::size_t n = 0; n < signal.size(); ++n) {
    const double place = static_cast<double>(n);
    const double window =
        0.5 - 0.5 * std::cos(2 * std::numbers::pi * place / static_cast<double>(signal.size()));
    sum += window * static_cast<double>(signal[n]) *
           std::polar(1.0, -2 * std::numbers::pi * hz * place / kRateHz);
    weights += window;
  }
  return 2 * std::abs(sum) / weights;
}

float steepest(const std::vector<float>& signal) {
  float most = 0;
  for (std::size_t n = 1; n < signal.size(); ++n) most = std::max(most, std::abs(signal[n] - signal[n - 1]));
  return most;
}

TEST(Voice, PlaysTheKeyInTuneAndAsLoudAsItWasHit) {
  for (const float key : {33.0F, 60.0F, 69.0F, 93.0F})
    for (const float velocity : {1.0F, 0.5F}) {
      Player player(plain());
      player.begin({.key = key, .velocity = velocity});
      (void)player.play(0.1);
      const double hz = 440 * std::exp2((static_cast<double>(key) - 69) / 12);
      const std::vector<float> sound = player.play(1);
      const double middle = std::numbers::sqrt2 / 2;  // of the pan: as loud as one side alone
      EXPECT_NEAR(level_at(sound, hz), middle * static_cast<double>(velocity * velocity), 0.01) << key;
      EXPECT_NEAR(player.state().steps[0] * kRateHz / 0x1p32, hz, hz * 1e-6) << "a five-hundredth of a cent";
    }
}

TEST(Voice, PanGoesFromSideToSide) {
  for (const float pan : {-1.0F, 0.0F, 1.0F}) {
    Player player(plain());
    player.begin({.pan = pan});
    float left = 0;
    float right = 0;
    for (int n = 0; n < 200; ++n) {
      left = std::max(left, std::abs(player.play(0.001).back()));
      right = std::max(right, std::abs(player.last_right()));
    }
    EXPECT_NEAR(left, pan < 0 ? 1 : pan > 0 ? 0 : 0.707, 0.05);
    EXPECT_NEAR(right, pan > 0 ? 1 : pan < 0 ? 0 : 0.707, 0.05);
  }
}

TEST(Voice, BeginsEndsAndIsTakenOverWithoutAClick) {
  Patch patch = plain();
  patch.envelopes[0] = {0.02, 0.1, 0.7, 0.1};
  Player player(patch);
  const double sine_hz = 440 * std::exp2((72.0 - 69) / 12);
  const double own = 2 * std::numbers::pi * sine_hz / kRateHz;  // the steepest of a sine of 1
  std::vector<float> sound;
  const auto add = [&](double seconds) {
    const std::vector<float> more = player.play(seconds);
    sound.insert(sound.end(), more.begin(), more.end());
  };
  for (int turn = 0; turn < 20; ++turn) {
    player.begin({.key = turn % 2 == 0 ? 60.0F : 72.0F, .velocity = 0.6F + 0.02F * static_cast<float>(turn)});
    add(0.0537);
    if (turn % 3 == 0) player.release();
    add(0.0113);
  }
  EXPECT_LT(steepest(sound), own * 1.05);
  player.release();
  (void)player.play(0.5);
  EXPECT_TRUE(Rule::is_silent(player.state()));
  EXPECT_EQ(player.play(0.01).back(), 0);
}

TEST(Voice, IsTakenAwayWithoutAClick) {
  Player player(plain());
  player.begin({.key = 48});
  std::vector<float> sound = player.play(0.1037);
  player.fade();
  const std::vector<float> end = player.play(0.01);
  sound.insert(sound.end(), end.begin(), end.end());
  // A sine of 131 Hz goes by 0.012 a frame, the fade by 0.003 more.
  EXPECT_LT(steepest(sound), 0.018F);
  EXPECT_TRUE(Rule::is_silent(player.state()));
}

TEST(Voice, IsTheSameWheneverItIsPlayed) {
  Patch patch = plain();
  patch.vcos[1] = {.wave = Patch::Wave::pulse, .cents = 7, .level = 0.3};
  patch.noise_level = 0.1;
  patch.wires = {{Patch::Source::lfo1, Patch::Target::cutoff, 1},
                 {Patch::Source::lfo2, Patch::Target::width2, 0.3}};
  Player once(patch);
  Player again(patch);
  once.begin({.seed = 9});
  again.begin({.seed = 9});
  EXPECT_EQ(once.play(0.3), again.play(0.3));
}

TEST(Voice, LfoMovesThePitchUpAndDown) {
  Patch patch = plain();
  patch.lfos[0] = {.wave = Patch::Wave::pulse, .hz = 1};
  patch.wires = {{Patch::Source::lfo1, Patch::Target::pitch1, 12}};
  Player player(patch);
  player.begin({.key = 69});
  (void)player.play(0.05);
  const std::vector<float> first = player.play(0.4);
  (void)player.play(0.1);
  const std::vector<float> second = player.play(0.4);
  EXPECT_GT(level_at(first, 880), 20 * level_at(first, 220));
  EXPECT_GT(level_at(second, 220), 20 * level_at(second, 880));
}

TEST(Voice, AnEnvelopeOpensTheFilter) {
  Patch patch = plain();
  patch.vcos[0].wave = Patch::Wave::saw;
  patch.filter = {.hz = 200, .q = 0.7071};
  patch.envelopes[1] = {.attack_s = 0.001, .decay_s = 0.3, .sustain = 0};
  patch.wires = {{Patch::Source::env2, Patch::Target::cutoff, 6}};
  Player player(patch);
  player.begin({.key = 45});
  const std::vector<float> early = player.play(0.1);
  (void)player.play(1);
  const std::vector<float> late = player.play(0.1);
  EXPECT_GT(level_at(early, 2200), 10 * level_at(late, 2200)) << "the twentieth harmonic";
  EXPECT_NEAR(level_at(early, 110) / level_at(late, 110), 1, 0.3) << "the note itself";
}

TEST(Voice, GlidesFromKeyToKey) {
  Patch patch = plain();
  patch.glide_s = 0.2;
  Player player(patch);
  player.begin({.key = 57});
  (void)player.play(0.3);
  EXPECT_NEAR(player.state().pitch, 57, 1e-4) << "the first note is there at once";
  player.begin({.key = 69});
  (void)player.play(0.03);
  EXPECT_GT(player.state().pitch, 58);
  EXPECT_LT(player.state().pitch, 68);
  (void)player.play(0.17);
  EXPECT_NEAR(player.state().pitch, 69, 0.15);
}

TEST(Voice, IsSmall) {
  EXPECT_LT(sizeof(Rule::State), 512U) << "of the 4 KB that a voice may take";
}

TEST(Voice, StaysBoundedWithEveryWireAtItsLimit) {
  Patch patch = plain();
  patch.vcos[1] = {.wave = Patch::Wave::pulse, .level = 1};
  patch.noise_level = 1;
  for (int source = 0; source < Patch::kSources; ++source)
    for (int target = 0; target < Patch::kTargets - 2; ++target)
      patch.wires.push_back({static_cast<Patch::Source>(source), static_cast<Patch::Target>(target),
                             (source + target) % 2 == 0 ? 100.0 : -100.0});
  Player player(patch);
  for (int turn = 0; turn < 50; ++turn) {
    player.begin({.key = static_cast<float>(turn * 2), .seed = static_cast<std::uint32_t>(turn)});
    for (const float sample : player.play(0.05))
      ASSERT_LT(std::abs(sample), 400) << "a Q of 50, four sources";
    if (turn % 2 == 0) player.release();
  }
}

}  // namespace
}  // namespace ringwave::synth
