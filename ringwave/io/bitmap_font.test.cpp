// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/bitmap_font.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace ringwave::io {
namespace {

constexpr Rgb kWhite{255, 255, 255};

std::string drawn(const std::string& text, int scale = 1) {
  Image image(text_width(text, scale) + 2 * scale, 9 * scale);
  draw_text(image, 0, 0, text, kWhite, scale);
  std::string pixels;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) pixels += image.at(x, y) == kWhite ? '#' : '.';
  return pixels;
}

TEST(BitmapFont, EveryLetterLooksDifferent) {
  std::set<std::string> seen;
  for (char letter = ' '; letter <= '~'; ++letter) EXPECT_TRUE(seen.insert(drawn({letter})).second) << letter;
}

TEST(BitmapFont, AnEllWithAFootAndItsWidth) {
  EXPECT_EQ(text_width("L"), 5);
  EXPECT_EQ(text_width("ab", 2), 22);
  EXPECT_EQ(text_width(""), 0);
  std::string expected;
  for (int row = 0; row < 9; ++row) expected += row < 6 ? "#......" : row == 6 ? "#####.." : ".......";
  EXPECT_EQ(drawn("L"), expected);
}

TEST(BitmapFont, WhatItDoesNotKnowIsOneQuestionMark) {
  EXPECT_EQ(drawn("\xc3\xa4"), drawn("?"));
  EXPECT_EQ(text_width("\xe2\x82\xac"), 5);
  EXPECT_EQ(drawn("\n"), drawn("?"));
}

TEST(BitmapFont, AScaleMakesEveryPointASquare) {
  const auto points = [](const std::string& pixels) { return std::count(pixels.begin(), pixels.end(), '#'); };
  EXPECT_EQ(points(drawn("dB", 3)), 9 * points(drawn("dB")));
}

}  // namespace
}  // namespace ringwave::io
