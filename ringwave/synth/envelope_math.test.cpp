// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/envelope_math.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ringwave::synth {
namespace {

constexpr double kRateHz = 48000;
using Rule = EnvelopeRule;
using Stage = Rule::Stage;

float run(const Rule::Constants& c, Rule::State& state, double seconds) {
  float level = Rule::level(c, state);
  for (int n = 0; n < static_cast<int>(seconds * kRateHz + 0.5); ++n) level = Rule::step(c, state);
  return level;
}

TEST(Envelope, TakesTheTimesThatItWasGiven) {
  for (const Adsr& adsr :
       {Adsr{}, Adsr{2.5, 3, 0.75, 3}, Adsr{0.001, 0.01, 0.2, 0.05}, Adsr{0.5, 0.5, 0, 1}}) {
    const Rule::Constants c(adsr, kRateHz);
    Rule::State state;
    Rule::begin(c, state);
    run(c, state, adsr.attack_s * 0.98);
    EXPECT_EQ(state.stage, Stage::attack);
    run(c, state, adsr.attack_s * 0.04);
    EXPECT_EQ(state.stage, Stage::decay);
    const double left = static_cast<double>(run(c, state, adsr.decay_s)) - adsr.sustain;
    EXPECT_NEAR(left / (1 - adsr.sustain), 0.01, 0.003);
    run(c, state, adsr.decay_s * 3);
    EXPECT_NEAR(Rule::level(c, state), adsr.sustain, 1e-6);
    state.away = 1 - c.sustain;
    Rule::release(c, state);
    EXPECT_NEAR(20 * std::log10(run(c, state, adsr.release_s)), -60, 0.2);
    EXPECT_EQ(state.stage, Stage::release);
    run(c, state, adsr.release_s);
    EXPECT_EQ(state.stage, Stage::off);
    EXPECT_EQ(Rule::level(c, state), 0);
  }
}

TEST(Envelope, HalfOfTheAttacksTimeIsMoreThanHalfOfItsHeight) {
  const Rule::Constants c({.attack_s = 1}, kRateHz);
  Rule::State state;
  Rule::begin(c, state);
  // 1.2 (1 - 6^(-1/2)): bent as a capacitor's.
  EXPECT_NEAR(run(c, state, 0.5), 0.7101, 1e-3);
}

TEST(Envelope, CruisesWhereItWouldStepAndStopsBeforeAStageEnds) {
  constexpr int kSteps = 16;
  for (const Adsr& adsr :
       {Adsr{}, Adsr{0.0003, 0.01, 0, 0.002}, Adsr{0, 0, 1, 0}, Adsr{0.02, 0.1, 0.3, 0.05}}) {
    const Rule::Constants c(adsr, kRateHz);
    Rule::State begun;
    Rule::begin(c, begun);
    Rule::Run stepping(c, begun);
    Rule::Run cruising(c, begun);
    for (int group = 0; group < 2500;) {
      if (group == 500) {
        stepping.release(c);
        cruising.release(c);
      }
      const int most = group < 500 ? std::min(7, 500 - group) : 7;
      const int done = cruising.cruise<kSteps>(most, [&](int i, Rule::State state) {
        ASSERT_EQ(state.away, stepping.state().away) << group + i;
        ASSERT_EQ(state.stage, stepping.state().stage) << group + i;
        for (int n = 0; n < kSteps; ++n) (void)stepping.step(c);
      });
      group += done;
      ASSERT_EQ(cruising.state().away, stepping.state().away) << group;
      if (done == most) continue;
      const Stage before = cruising.state().stage;
      for (int n = 0; n < kSteps; ++n) (void)cruising.step(c);
      for (int n = 0; n < kSteps; ++n) (void)stepping.step(c);
      EXPECT_NE(cruising.state().stage, before) << "it stopped where no stage ended, at " << group;
      ++group;
    }
    EXPECT_EQ(cruising.state().stage, stepping.state().stage);
    EXPECT_EQ(cruising.state().stage, Stage::off);
  }
}

TEST(Envelope, IsSmoothWhereverANoteBeginsOrEnds) {
  const Rule::Constants c({0.05, 0.1, 0.6, 0.2}, kRateHz);
  Rule::State state;
  float before = 0;
  float steepest = 0;
  for (int n = 0; n < 48000; ++n) {
    if (n % 3001 == 0) Rule::begin(c, state);
    if (n % 3001 == 1700) Rule::release(c, state);
    const float now = Rule::step(c, state);
    steepest = std::max(steepest, std::abs(now - before));
    before = now;
  }
  EXPECT_LE(steepest, c.attack * 1.2F) << "the first step of an attack from nothing";
  EXPECT_GT(steepest, 0);
}

TEST(Envelope, FadesInAStraightLineWhereverItIs) {
  const Rule::Constants c({0.05, 0.1, 0.6, 2}, kRateHz);
  for (const double played_s : {0.001, 0.03, 0.2}) {
    Rule::State state;
    Rule::begin(c, state);
    float before = run(c, state, played_s);
    Rule::fade(c, state);
    for (int n = 0; n < 240; ++n) {
      const float now = Rule::step(c, state);
      EXPECT_LE(before - now, 1.01F / 240);
      before = now;
    }
    EXPECT_EQ(state.stage, Stage::off) << "5 ms are over";
  }
}

TEST(Envelope, ZeroTimesAreOneStepAndAnUnplayedOneIsSilent) {
  const Rule::Constants c({0, 0, 0.5, 0}, kRateHz);
  Rule::State state;
  EXPECT_EQ(Rule::step(c, state), 0);
  Rule::release(c, state);
  EXPECT_EQ(state.stage, Stage::off) << "nothing to let go";
  Rule::begin(c, state);
  EXPECT_EQ(Rule::step(c, state), 1);
  EXPECT_EQ(Rule::step(c, state), 0.5F);
  Rule::release(c, state);
  EXPECT_EQ(Rule::step(c, state), 0);
  EXPECT_EQ(state.stage, Stage::off);
}

}  // namespace
}  // namespace ringwave::synth
