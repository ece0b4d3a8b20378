// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/overlap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

using testing::Contains;
using testing::ElementsAre;
using Grade = Overlap::Grade;
using Shape = Window::Shape;

TEST(Overlap, TextbookPairs) {
  struct Pair {
    Window window;
    int hop;
    Grade grade;
  };
  for (const auto& [window, hop, grade] : {
           Pair{{Shape::hann}, 512, Grade::perfect},
           Pair{{Shape::hann}, 256, Grade::perfect},
           Pair{{Shape::hann}, 600, Grade::uneven},
           Pair{{Shape::hann}, 1024, Grade::lost},
           Pair{{Shape::hann, false}, 512, Grade::near},
           Pair{{Shape::hamming}, 512, Grade::perfect},
           Pair{{Shape::hamming}, 1024, Grade::uneven},
           Pair{{Shape::blackman}, 256, Grade::perfect},
           Pair{{Shape::blackman}, 512, Grade::uneven},
           Pair{{Shape::rectangular}, 1024, Grade::perfect},
           Pair{{Shape::rectangular}, 1025, Grade::lost},
           Pair{{Shape::kaiser}, 128, Grade::near},
           Pair{{Shape::kaiser}, 512, Grade::uneven},
       }) {
    const Overlap found = grade_overlap(window, 1024, hop);
    EXPECT_EQ(found.grade, grade) << to_string(found.grade) << ", " << found.ripple_db << " dB, shape "
                                  << static_cast<int>(window.shape) << ", hop " << hop;
  }
}

TEST(Overlap, ARippleIsItsSize) {
  // Two Blackman windows half a size apart: 1 where one is alone, 0.34 + 0.34 between them.
  EXPECT_NEAR(grade_overlap({Shape::blackman}, 1024, 512).ripple_db, 20 * std::log10(1 / 0.68), 1e-9);
  // The squares of Hann's: 1, and 0.25 + 0.25.
  EXPECT_NEAR(grade_overlap({Shape::hann}, 1024, 512).square_ripple_db, 10 * std::log10(2), 1e-9);
  EXPECT_NEAR(grade_overlap({Shape::hann}, 1024, 256).square_ripple_db, 0, 1e-9);
  EXPECT_TRUE(std::isinf(grade_overlap({Shape::hann}, 1024, 1024).ripple_db));
}

TEST(Overlap, SuggestsHopsThatAreAsGoodAsItSays) {
  EXPECT_THAT(grade_overlap({Shape::hann}, 1024, 600).suggested_hops, ElementsAre(512, 256, 128, 64, 32));
  EXPECT_THAT(grade_overlap({Shape::blackman}, 1200, 600).suggested_hops, Contains(400));
  for (const Shape shape : {Shape::hann, Shape::hamming, Shape::blackman, Shape::kaiser})
    for (const bool periodic : {true, false})
      for (const int size : {480, 1024, 2049}) {
        const auto hops = grade_overlap({shape, periodic}, size, 1).suggested_hops;
        EXPECT_FALSE(hops.empty()) << size;
        for (const int hop : hops)
          EXPECT_LE(grade_overlap({shape, periodic}, size, hop).grade, Grade::near) << hop;
      }
}

TEST(Overlap, AHopBeyondTheWindowLosesSamples) {
  EXPECT_EQ(grade_overlap({Shape::rectangular}, 8, 1 << 30).grade, Grade::lost);
  EXPECT_THROW((void)grade_overlap({}, 1024, 0), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
