// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/image.hpp"

#include <gtest/gtest.h>

#include "ringwave/core/error.hpp"

namespace ringwave::io {
namespace {

constexpr Rgb kWhite{255, 255, 255};

int count(const Image& image, Rgb colour) {
  int found = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) found += image.at(x, y) == colour ? 1 : 0;
  return found;
}

TEST(Image, WhatIsDrawnBeyondTheEdgesIsLeftOut) {
  Image image(10, 8);
  image.fill(-5, -5, 7, 6, kWhite);
  EXPECT_EQ(count(image, kWhite), 2 * 1);
  image.fill(8, 6, 100, 100, kWhite);
  EXPECT_EQ(count(image, kWhite), 2 + 4);
  image.fill(20, 20, 5, 5, kWhite);
  image.fill(3, 3, -1, 5, kWhite);
  image.set(-1, 0, kWhite);
  image.set(10, 0, kWhite);
  EXPECT_EQ(count(image, kWhite), 6);
  image.set(9, 0, kWhite);
  EXPECT_EQ(image.at(9, 0), kWhite);
}

TEST(Image, RefusesASizeThatCannotBe) {
  EXPECT_THROW(Image(0, 5), InvalidArgument);
  EXPECT_THROW(Image(5, -1), InvalidArgument);
  EXPECT_THROW(Image(65537, 1), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::io
