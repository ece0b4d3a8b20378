// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/window.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

using Shape = Window::Shape;

TEST(Window, AsScipyHasThem) {
  // scipy.signal.get_window(name, 5, fftbins=False) and, for Hann's, also (4, fftbins=True).
  const auto near = [](double value) { return DoubleNear(value, 1e-14); };
  EXPECT_THAT(window_values({Shape::hann, false}, 5),
              ElementsAre(near(0), near(0.5), near(1), near(0.5), near(0)));
  EXPECT_THAT(window_values({Shape::hann, true}, 4), ElementsAre(near(0), near(0.5), near(1), near(0.5)));
  EXPECT_THAT(window_values({Shape::hamming, false}, 5),
              ElementsAre(near(0.08), near(0.54), near(1), near(0.54), near(0.08)));
  EXPECT_THAT(window_values({Shape::blackman, false}, 5),
              ElementsAre(near(0), near(0.34), near(1), near(0.34), near(0)));
  EXPECT_THAT(window_values({Shape::kaiser, false, 5}, 5),
              ElementsAre(near(0.036710892271286676), near(0.5528517696991324), near(1),
                          near(0.5528517696991324), near(0.036710892271286676)));
}

TEST(Window, APeriodicOneIsASymmetricOneOfOneMoreWithoutItsLast) {
  for (const Shape shape : {Shape::rectangular, Shape::hann, Shape::hamming, Shape::blackman, Shape::kaiser})
    for (const int size : {2, 7, 64, 441}) {
      auto symmetric = window_values({shape, false}, size + 1);
      symmetric.pop_back();
      EXPECT_THAT(window_values({shape, true}, size), Pointwise(testing::DoubleEq(), symmetric)) << size;
    }
}

TEST(Window, ASymmetricOneIsItsOwnMirror) {
  for (const Shape shape : {Shape::hann, Shape::hamming, Shape::blackman, Shape::kaiser}) {
    const auto values = window_values({shape, false}, 100);
    for (std::size_t n = 0; n < values.size(); ++n)
      EXPECT_NEAR(values[n], values[values.size() - 1 - n], 1e-14);
  }
}

TEST(Window, OfOnePointIsOne) {
  for (const Shape shape : {Shape::rectangular, Shape::hann, Shape::kaiser})
    for (const bool periodic : {true, false})
      EXPECT_THAT(window_values({shape, periodic}, 1), ElementsAre(1.0));
}

TEST(Window, KaisersReachesFromARectangleToASpike) {
  EXPECT_THAT(window_values({Shape::kaiser, false, 0}, 9), testing::Each(1.0));
  EXPECT_LT(window_values({Shape::kaiser, false, 100}, 9).front(), 1e-40);
}

TEST(Window, RefusesWhatItCannotMake) {
  EXPECT_THROW((void)window_values({}, 0), InvalidArgument);
  EXPECT_THROW((void)window_values({}, (1 << 26) + 1), InvalidArgument);
  for (const double beta : {-1.0, 101.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW((void)window_values({Shape::kaiser, true, beta}, 8), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
