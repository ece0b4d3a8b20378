// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/palette.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ringwave/core/error.hpp"

namespace ringwave::io {
namespace {

/// L* of CIE 1976, from the luminance of sRGB.
double lightness(Rgb colour) {
  const auto linear = [](std::uint8_t part) {
    const double x = part / 255.0;
    return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  };
  const double y = 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
  return y > 216.0 / 24389 ? 116 * std::cbrt(y) - 16 : y * 24389 / 27;
}

TEST(Palette, LightnessRisesInAStraightLine) {
  for (const char* name : {"ember", "lagoon", "grey"}) {
    const Palette palette(name);
    const double dark = lightness(palette.at(0));
    const double bright = lightness(palette.at(1));
    EXPECT_LT(dark, 5) << name;
    EXPECT_GT(bright, 95) << name;
    for (int i = 0; i <= 64; ++i)  // eight bits of blue are the coarsest steps
      EXPECT_NEAR(lightness(palette.at(i / 64.0)), dark + (bright - dark) * i / 64, 1.2) << name << ' ' << i;
  }
}

TEST(Palette, InkIsDarkOnWhite) {
  const Palette palette("ink");
  EXPECT_EQ(palette.at(0), (Rgb{255, 255, 255}));
  EXPECT_LT(lightness(palette.at(1)), 6);
}

TEST(Palette, BeyondTheEndsAreTheEnds) {
  const Palette palette("ember");
  EXPECT_EQ(palette.at(-5), palette.at(0));
  EXPECT_EQ(palette.at(std::numeric_limits<double>::quiet_NaN()), palette.at(0));
  EXPECT_EQ(palette.at(7), palette.at(1));
}

TEST(Palette, RefusesAnotherNameAndSaysWhichThereAre) {
  EXPECT_THROW(Palette("rainbow"), InvalidArgument);
  EXPECT_EQ(Palette::names(), "ember, lagoon, grey, ink");
}

}  // namespace
}  // namespace ringwave::io
