// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/form.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ringwave::music {
namespace {

TEST(Form, EnergyIsTheIntensityGiveOrTakeAFifth) {
  for (const double intensity : {0.0, 0.3, 0.7, 1.0}) {
    const Form form({.intensity = intensity}, 5);
    double sum = 0;
    for (std::int64_t bar = 0; bar < 3200; ++bar) {
      const int energy = form.energy(bar);
      EXPECT_GE(energy, std::max(0.0, 1000 * intensity - 200));
      EXPECT_LE(energy, std::min(1000.0, 1000 * intensity + 200));
      sum += energy;
    }
    if (intensity > 0.2 && intensity < 0.8) {
      EXPECT_NEAR(sum / 3200, 1000 * intensity, 30);
    }
  }
}

TEST(Form, EnergyMovesInSmallStepsOverMinutes) {
  const Form form({}, 9);
  int most = 0;
  int least = 1000;
  for (std::int64_t bar = 0; bar < 1600; ++bar) {
    EXPECT_LE(std::abs(form.energy(bar + 1) - form.energy(bar)), 26) << "a sixteenth of the whole swing";
    most = std::max(most, form.energy(bar));
    least = std::min(least, form.energy(bar));
  }
  EXPECT_GT(most - least, 200);
}

TEST(Form, WhatIsOffNeverPlaysAndPadsAlwaysDo) {
  Settings settings;
  settings.layers = {Layer::pads, Layer::bells};
  const Form form(settings, 2);
  int bells = 0;
  for (std::int64_t phrase = 0; phrase < 400; ++phrase) {
    EXPECT_TRUE(form.plays(Layer::pads, phrase));
    for (const Layer layer : {Layer::melody, Layer::bass, Layer::kicks, Layer::hats, Layer::swells})
      EXPECT_FALSE(form.plays(layer, phrase));
    bells += form.plays(Layer::bells, phrase) ? 1 : 0;
    EXPECT_EQ(form.plays(Layer::bells, phrase), form.plays(Layer::bells, phrase / 4 * 4))
        << "for a whole section";
  }
  EXPECT_GT(bells, 100);
  EXPECT_LT(bells, 350);
}

TEST(Form, QuietMusicHasNoDrums) {
  const Form form({.intensity = 0.05}, 4);
  for (std::int64_t phrase = 0; phrase < 400; ++phrase) {
    EXPECT_FALSE(form.plays(Layer::kicks, phrase));
    EXPECT_FALSE(form.plays(Layer::hats, phrase));
  }
}

TEST(Form, ASwellLeadsIntoEverySection) {
  const Form form({}, 6);
  for (std::int64_t section = 0; section < 50; ++section)
    EXPECT_TRUE(form.plays(Layer::swells, section * 4 + 3));
}

}  // namespace
}  // namespace ringwave::music
